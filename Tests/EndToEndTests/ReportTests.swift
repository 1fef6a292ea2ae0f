import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct ReportTests {
  @Test func aWeekIsReportedAsMarkdownHTMLAndJSON() throws {
    let home = try Home(zone: Home.earlyZone)
    let live = ["live", "--simulate", "--speed", "max", "--duration", "40m", "--plain"]
    #expect(try home.start(live).outcome().status == .exited(0))
    #expect(try home.run("journal", "add", "--mood", "7", "--trigger", "coffee").status == .exited(0))
    #expect(try home.run("breathe", "--simulate", "--speed", "max", "--plain").status == .exited(0))
    let report = try home.run("report")
    #expect(report.status == .exited(0))
    for words in [
      "# Your week, ", " (simulated)", "Your stress was ", "no data for the week before",
      "1 entry on these days",
      "Mood 7.0 of 10", "Too few entries", "This is not a medical device",
      "## Breathing", "4-7-8", "4 of 4",
    ] { #expect(report.output.contains(words), "\(words)") }

    let files = try home.run("report", "--html", home.file("week.html"), "--markdown", home.file("week.md"))
    #expect(files.status == .exited(0) && files.output.isEmpty)
    #expect(home.contents("week.md") == report.output)
    let page = try #require(home.contents("week.html"))
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && !page.contains("<?xml"))
    var status = stat()
    #expect(stat(home.file("week.html"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try home.run("report", "--html", home.file("week.html")).status == .exited(1))

    let json = try JSONValue(try home.run("report", "--json").output)
    let trends = try #require(try home.run("trends", "--json").json().last)
    for key in ["from", "to", "scored", "relaxed_percent", "confidence"] {
      #expect(json[key] == trends[key], "\(key)")
    }
    #expect(json["breathing"]?.elements.map { $0["pattern"]?.text } == ["4-7-8"])
    #expect(json["stress"]?["changed"] == .null && json["mood_mean"]?.number == 7)
  }

  @Test func aWeekWithoutMeasurementsIsReported() throws {
    let home = try Home()
    let report = try home.run("report", "--ending", "2020-02-29")
    #expect(report.status == .exited(0))
    #expect(report.output.contains("Sun 23 Feb 2020 to Sat 29 Feb 2020"))
    #expect(report.output.contains("No stress values were measured"))
    #expect(try home.run("report", "--ending", "2020-02-30").status == .exited(64))
    #expect(try home.run("report", "--to", "2020-02-29").output == report.output)
    let month = try home.run("report", "--from", "2020-02")
    #expect(month.status == .exited(64) && month.errors.contains("at most a year"))
    #expect(
      try home.run("report", "--from", "2020-02", "--to", "2020-02").output.hasPrefix(
        "# Your report, Sat 1 Feb 2020 to Sat"))
    #expect(try home.run("report", "--force").status == .exited(64))
    #expect(try home.run("report", "--speak", "--html", home.file("x.html")).status == .exited(64))
    #expect(report.errors == "stressmon: --ending is replaced by: --to\n")
  }
}
