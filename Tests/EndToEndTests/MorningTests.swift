import Glibc
import TestSupport
import Testing

/// Regression: morning readings of the simulated strap. `--at` dates a reading.
@Suite(.ownThreads) struct MorningTests {
  /// `2026-11-22`, this number of days before today.
  static func date(daysAgo days: Int) -> String {
    var time = time(nil) - days * 86_400
    var fields = tm()
    gmtime_r(&time, &fields)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
  }

  /// The sentences of the transcript in the guide.
  private static var documentedSentences: [String] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let guide = text(ofFile: "/\(root)/docs/guide/morning.md") ?? ""
    return guide.matches(of: /\n\d{4}-\d\d-\d\d  (.*HRV \(RMSSD\) .*)/).map { String($0.1) }
  }

  private static func take(_ home: Home, daysAgo days: Int, _ options: String...) throws -> Outcome {
    let at = ["--at", "\(date(daysAgo: days))T00:00:00Z", "--seed", "\(200 - days)"]
    return try home.start(["morning", "--simulate", "--speed", "max"] + at + options).outcome()
  }

  @Test("Four weeks with one reading a day give sentences, trends, report, status and export")
  func fourWeeks() throws {
    let home = try Home()
    var readings: [JSONValue] = []
    for days in (0..<28).reversed() {
      let outcome = try Self.take(home, daysAgo: days, "--json")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      readings += try outcome.json()
    }
    #expect(readings.count == 28 && readings.allSatisfy { $0["counted"]?.bool == true })
    for (place, reading) in readings.enumerated() {
      let sentence = reading["sentence"]?.text ?? ""
      let missing = 5 - place
      #expect((reading["normal_low_ms"]?.number == nil) == (missing > 0))
      #expect(reading["mornings_missing"]?.number == Double(max(0, missing)))
      #expect(sentence.contains("until your normal range is known") == (missing > 0), "\(sentence)")
      #expect((reading["seven_day_mean_ln_rmssd"]?.number == nil) == (place < 2))
    }
    #expect(readings.map { $0["sentence"]?.text } == Self.documentedSentences)
    let last = try #require(readings.last)
    #expect(last["sentence"]?.text?.contains("; 7-day mean ") == true)

    let stored = try home.run("history", "--morning", "--json", "--limit", "99").json()
    #expect(stored.map { $0["rmssd_ms"] } == readings.map { $0["rmssd_ms"] })
    let csv = try home.run("history", "--morning", "--csv", "--limit", "99")
      .output.split(whereSeparator: \.isNewline)
    #expect(csv.count == 29 && csv[0].hasPrefix("session,profile,time,day,posture,"))
    let trends = try home.run("trends", "--morning", "--json").json()
    for key in ["normal_low_ms", "seven_day_mean_ln_rmssd", "cv_percent", "normal_position", "normal_since"] {
      #expect(trends.map { $0[key] } == readings.map { $0[key] }, "\(key)")
    }
    let chart = try home.run("trends", "--morning").output
    #expect(chart.contains("HRV (RMSSD) in ms of the morning readings, lying"))
    #expect(chart.contains("your normal range: "))

    let report = try #require(try home.run("report", "--json").json().first)
    #expect(report["mornings"]?.number == 7 && report["normal_source"]?.text == "mornings")
    #expect(report["morning_rmssd_ms"]?["days_before"]?.number == 7)
    let text = try home.run("report").output
    #expect(text.contains("## Mornings") && text.contains("- HRV in the morning: "))
    #expect(!text.contains("half an hour"))
    #expect(try home.run("report", "--details").output.contains("Morning readings on 7 of 7 days."))
    let status = try #require(try home.run("status", "--json").json().first)
    #expect(status["normal_low_ms"] == last["normal_low_ms"])
    #expect(try home.run("status", "--format", "large").output.contains(" your normal "))
    #expect(try home.run("history", "--limit", "2").output.contains("morning, lying: HRV "))
    let measured = try home.run("measure", "--simulate", "--speed", "max").output
    #expect(measured.contains(" your normal "))
    #expect(try home.run("show", "28").output.contains(" your normal "))
  }

  /// A reading counts for the day at its place.
  @Test func everyTimeZoneShowsTheDayOfTheReading() throws {
    let home = try Home(zone: "Asia/Tokyo")
    let day = Self.date(daysAgo: 2)
    let reading = try home.run("morning", "--simulate", "--speed", "max", "--at", "\(day)T01:00")
    #expect(reading.status == .exited(0))
    let tables = try ["Asia/Tokyo", "America/Los_Angeles"].map { zone in
      let report = try home.run("report", with: ["TZ": zone]).output.split(whereSeparator: \.isNewline)
      return report.drop { $0 != "## Mornings" }.dropFirst().prefix { !$0.hasPrefix("## ") }.filter {
        $0.hasPrefix("| ")
      }
    }
    #expect(tables[0].count == 3 && tables[0] == tables[1], "\(tables)")
    #expect(try home.run("trends", "--morning", with: ["TZ": "UTC"]).output.contains("\n\(day) "))
  }

  @Test func aSecondReadingOfADayIsStoredButDoesNotCount() throws {
    let home = try Home()
    _ = try Self.take(home, daysAgo: 1)
    let second = try Self.take(home, daysAgo: 1, "--json")
    let json = try #require(try second.json().first)
    #expect(second.status == .exited(0) && json["counted"]?.bool == false)
    #expect(
      try home.run("history", "--morning", "--json").json().map { $0["counted"]?.bool } == [true, false])
    #expect(json["sentence"]?.text?.contains("It is stored but not added to the series") == true)
  }

  @Test("A second reading that is not stored says so")
  func aSecondReadingWithoutStorage() throws {
    let home = try Home()
    _ = try Self.take(home, daysAgo: 1)
    let second = try Self.take(home, daysAgo: 1, "--no-store", "--json")
    let sentence = try #require(try second.json().first?["sentence"]?.text)
    #expect(sentence.hasSuffix("It is not added to the series, because nothing is stored."), "\(sentence)")
    #expect(!sentence.contains("It is stored"))
    #expect(try home.run("history", "--morning", "--json").json().count == 1)
  }

  @Test func aReadingWithMovementIsRefused() throws {
    let home = try Home()
    let outcome = try Self.take(home, daysAgo: 0, "--activity", "walking")
    #expect(outcome.status == .exited(3))
    #expect(outcome.output.contains("This reading is not added to the series: you moved during the reading."))
    #expect(try home.run("history", "--morning", "--json").json().first?["refusal"]?.text == "motion")
    #expect(try home.run("trends", "--morning").output.contains("No morning reading of 'me' counts"))
  }

  @Test func anOrthostaticReadingStoresBothParts() throws {
    let home = try Home()
    let outcome = try Self.take(home, daysAgo: 0, "--orthostatic", "--json")
    let json = try #require(try outcome.json().first)
    #expect((json["heart_rate_rise_bpm"]?.number ?? 0) > 8)
    #expect(json["standing"]?["posture"]?.text == "standing")
    #expect(outcome.errors.contains("Stand up now."))
    let stored = try home.run("history", "--morning", "--json").json()
    #expect(stored.map { $0["standing_part"]?.bool } == [false, true])
    #expect(stored.map { $0["counted"]?.bool } == [true, false])
  }

  @Test func withoutStorageNothingIsAdded() throws {
    let home = try Home()
    let outcome = try Self.take(home, daysAgo: 0, "--no-store")
    #expect(outcome.status == .exited(0) && outcome.output.contains("because nothing is stored"))
    #expect(!exists(home.database))
  }

  @Test(arguments: [
    (["--duration", "30s", "--simulate"], "'--duration 30s' is out of range: expected 60s to 5m"),
    (["--orthostatic", "--posture", "lying"], "--orthostatic and --posture exclude each other"),
    (["--at", "07:00"], "--at requires --simulate"),
    (["--simulate", "--at", "2199-01-01T07:00"], "--at is in the future"),
  ])
  func wrongOptionsAreReported(options: [String], message: String) throws {
    let outcome = try Home().start(["morning"] + options).outcome()
    #expect(outcome.status == .exited(64) && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
