import Foundation
import TestSupport
import Testing

/// A person who takes readings at an interval of 15 minutes, on the days 1, 3, 8 and 30: the sentences and numbers of all commands
/// agree on each of these days. Importing the readings makes each of
/// these days the present one.
@Suite(.ownThreads) struct MonthOfReadingsTests {
  private static let readingsPerDay = 8

  /// Writes the RR intervals of 75 s. Two readings of each day are strained, and two whole days, of an illness.
  private static func write(_ reading: Int, day: Int, to home: Home, named name: String) throws {
    var random = SeededGenerator(seed: UInt64(1000 * day + reading))
    let (isStrained, isIll) = (reading == 5 || reading == 6, day == 12 || day == 13)
    let amplitude = (isStrained ? 22.0 : 44) * (isIll ? 0.6 : 1) * .random(in: 0.85...1.15, using: &random)
    let mean = (isStrained ? 765.0 : 900) * (isIll ? 0.9 : 1)
    var (time, text) = (0.0, "")
    while time < 75_000 {
      let breath = amplitude * sin(time / 5000 * 2 * .pi)
      let rr = (mean + breath + .random(in: -18...18, using: &random)).rounded()
      time += rr
      text += "\(Int(rr))\n"
    }
    _ = try home.folder.write(text, to: name)
  }

  /// The history of a person on `day`, which is yesterday: readings of today could be in the future.
  private static func history(on day: Int) throws -> Home {
    let home = try Home()
    for past in 1...day {
      let date = MorningTests.date(daysAgo: day - past + 1)
      for reading in 0..<readingsPerDay {
        let minutes = 9 * 60 + 15 * reading
        let name = String(format: "%@ %02d-%02d-00.txt", date, minutes / 60, minutes % 60)
        try write(reading, day: past, to: home, named: name)
      }
    }
    let imported = try home.shell("\"$stressmon\" import *.txt")
    try #require(imported.status == .exited(0), "\(imported.errors)")
    return home
  }

  /// The bounds in ms that follow the words in a text.
  private static func bounds(_ text: String, after words: String) -> [Int]? {
    guard let place = text.range(of: words),
      let found = text[place.upperBound...].prefixMatch(of: /(\d+)(?:-| to )(\d+)/)
    else { return nil }
    return [found.1, found.2].compactMap { Int($0) }
  }

  @Test(arguments: [1, 3, 8, 30])
  func everyCommandStatesTheSame(day: Int) throws {
    let home = try Self.history(on: day)
    let last = "\(MorningTests.date(daysAgo: 1))"
    let status = try #require(try home.run("status", "--json").json().first)
    let large = try home.run("status", "--format", "large").output
    let spoken = try home.run("status", "--format", "spoken").output
    let trends = try home.run("trends", "--from", last, "--to", last)
    let days = try home.run("trends", "--from", last, "--to", last, "--json").json()
    let history = try home.run("history", "--from", last).output
    let report = try home.run("report", "--to", last)
    let week = try #require(try home.run("report", "--to", last, "--json").json().first)
    let baseline = try #require(try home.run("baseline", "--json").json().first)
    for text in [large, spoken, trends.output, history, report.output] { print("day \(day):", text) }

    // The latest value.
    let stress = try #require(status["stress"]?.number)
    let shown = Int(stress.rounded())
    #expect(large.contains(" \(shown) (") && spoken.hasPrefix("Stress \(shown) of 100"), "\(large)")
    let measured = try home.run("history", "--measurements", "--json", "--from", last).json().last
    #expect(measured?["stress"]?.number == stress)
    let category = try #require(status["category"]?.text).capitalized
    #expect(large.contains(" \(category) ") && spoken.contains(": \(category), "), "\(large)")

    // The mean of the day.
    let mean = try #require(days.last?["stress_mean"]?.number).rounded()
    #expect(history.contains("stress \(Int(mean)) on average"), "\(history)")
    #expect(trends.output.contains("Your stress was \(Int(mean)) of 100 on average"), "\(trends.output)")
    let ofWeek = try #require(week["stress"]?["this_week"]?.number).rounded()
    #expect(report.output.contains("Stress on days with enough data: \(Int(ofWeek))"), "\(report.output)")

    try expectOneNormalRange(
      day, status, baseline, week, large: large, trends: trends.output, report: report.output)
    try expectNoFurtherClaim(day, week, report.output)
  }

  /// Before day 5 no output states a range, and afterwards all of them the same.
  private func expectOneNormalRange(
    _ day: Int, _ status: JSONValue, _ baseline: JSONValue, _ week: JSONValue, large: String, trends: String,
    report: String
  ) throws {
    let printed = [
      Self.bounds(large, after: "your normal "), Self.bounds(trends, after: "your usual range at rest: "),
      Self.bounds(report, after: "Your usual HRV at rest: "),
    ]
    guard day >= 5 else {
      #expect(printed == [nil, nil, nil])
      for value in [status["normal_low_ms"], week["normal_low_ms"], baseline["normal_rmssd_low_ms"]] {
        #expect(value?.number == nil)
      }
      #expect(trends.contains("Your usual range is known after five days with readings at rest."))
      return
    }
    let low = try #require(status["normal_low_ms"]?.number)
    let high = try #require(status["normal_high_ms"]?.number)
    #expect(printed == Array(repeating: [Int(low.rounded()), Int(high.rounded())], count: 3))
    #expect(week["normal_low_ms"]?.number == low && week["normal_high_ms"]?.number == high)
    #expect(
      baseline["normal_rmssd_low_ms"]?.number == low && baseline["normal_rmssd_high_ms"]?.number == high)
    let hrv = try #require(status["hrv_ms"]?.number)
    let position = hrv < low.rounded() ? "below" : hrv > high.rounded() ? "above" : "within"
    #expect(status["normal_position"]?.text == position && large.contains("\(position) your normal"))
  }

  /// A comparison of weeks requires three days of each, and states a change only if the interval excludes none.
  private func expectNoFurtherClaim(_ day: Int, _ week: JSONValue, _ report: String) throws {
    let stress = try #require(week["stress"])
    let (these, before) = (stress["days"]?.number ?? 0, stress["days_before"]?.number ?? 0)
    let isCompared = these >= 3 && before >= 3
    #expect((stress["changed"]?.bool != nil) == isCompared, "day \(day)")
    #expect(report.contains("clear change") || report.contains("clearly") || !isCompared, "\(report)")
    #expect(isCompared == (day == 30))
  }
}
