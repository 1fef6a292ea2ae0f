import Foundation
import TestSupport
import Testing

/// A month of nights and mornings of one person: each sentence is compared with the values, and with the other outputs of the day.
@Suite(.ownThreads) struct MonthOfNightsTests {
  private static let days = 28

  /// Days with less HRV at night, of an illness. One night is too short, and one is missing.
  private static let ill = 17...19
  private static let short = 9
  private static let missing = 13

  /// Writes the RR intervals of a night of three and a half hours: awake, asleep, awake.
  private static func night(_ day: Int, to home: Home, named name: String) throws {
    var random = SeededGenerator(seed: UInt64(100 + day))
    let amplitude = (ill.contains(day) ? 22.0 : 40) * Double.random(in: 0.93...1.07, using: &random)
    let asleep = day == short ? 60.0 : 195
    var (time, slow, text) = (0.0, 0.0, "")
    while time < (15 + asleep + 10) * 60_000 {
      let minute = time / 60_000
      let isAwake = minute < 15 || minute > 15 + asleep
      slow = 0.99 * slow + Double.random(in: -3...3, using: &random)
      let breath = amplitude * sin(time / 4000 * 2 * .pi) + Double.random(in: -15...15, using: &random)
      let rr = ((isAwake ? 840 : 1090) + (isAwake ? 4 : 1) * slow + breath).rounded()
      time += max(400, rr)
      text += "\(Int(max(400, rr)))\n"
    }
    _ = try home.folder.write(text, to: name)
  }

  /// Writes the RR intervals of 75 s at rest.
  private static func morning(_ day: Int, to home: Home) throws {
    var random = SeededGenerator(seed: UInt64(200 + day))
    let amplitude = (ill.contains(day) ? 24.0 : 45) * Double.random(in: 0.85...1.15, using: &random)
    var (time, text) = (0.0, "")
    while time < 75_000 {
      let rr = (960 + amplitude * sin(time / 5000 * 2 * .pi) + .random(in: -25...25, using: &random))
        .rounded()
      time += rr
      text += "\(Int(rr))\n"
    }
    _ = try home.folder.write(text, to: "morning\(day).txt")
  }

  /// The position in the normal range that a sentence states.
  private static func stated(_ sentence: String) -> (position: String, low: Double, high: Double)? {
    guard let match = sentence.firstMatch(of: /(within|below|above) your normal (\d+)-(\d+)/),
      let low = Double(match.2), let high = Double(match.3)
    else { return nil }
    return (String(match.1), low, high)
  }

  private static func expectConsistent(_ reading: JSONValue, _ sentence: String, kind: String, _ day: Int)
    throws
  {
    print("day \(day), \(kind): \(sentence)")
    let rmssd = try #require(reading["rmssd_ms"]?.number)
    #expect(sentence.contains("\((rmssd * 10).rounded() / 10) ms"), "\(sentence)")
    let missing = reading["\(kind)_missing"]?.number ?? 0
    #expect(sentence.contains("until your normal range is known") == (missing > 0), "\(sentence)")
    #expect((reading["normal_low_ms"]?.number == nil) == (missing > 0))
    guard let stated = stated(sentence) else {
      #expect(missing > 0, "\(sentence)")
      return
    }
    #expect(stated.position == reading["normal_position"]?.text)
    #expect(reading["normal_low_ms"]?.number?.rounded() == stated.low)
    #expect(reading["normal_high_ms"]?.number?.rounded() == stated.high)
    #expect(sentence.contains("at night") == (kind == "nights"), "\(sentence)")
    // The verdict in words agrees with the position.
    if sentence.contains("below your normal for") || sentence.contains("well below your normal:") {
      #expect(stated.position == "below")
    }
    let level = try #require(reading["level"]?.text)
    if stated.position == "below" { #expect(level != "above") }
    if stated.position == "within" { #expect(!level.contains("well"), "\(level): \(sentence)") }
  }

  @Test func noSentenceContradictsAnother() throws {
    let home = try Home()
    var (nights, mornings): ([JSONValue], [JSONValue]) = ([], [])
    for day in 1...Self.days {
      // The last morning is that of yesterday: today's could be in the future.
      let before = Self.days - day + 1
      if day != Self.missing {
        let name = "night\(day).txt"
        try Self.night(day, to: home, named: name)
        let at = "\(MorningTests.date(daysAgo: before + 1))T23:30:00Z"
        let imported = try home.run("import", home.file(name), "--at", at, "--as", "night")
        #expect(imported.status == .exited(0) || imported.status == .exited(3), "\(imported.errors)")
        if day != Self.short {
          let night = try #require(try home.run("night", "--last", "--json").json().first)
          try Self.expectConsistent(night, #require(night["sentence"]?.text), kind: "nights", day)
          nights.append(night)
        }
      }
      try Self.morning(day, to: home)
      let at = "\(MorningTests.date(daysAgo: before))T06:30:00Z"
      let imported = try home.run("import", home.file("morning\(day).txt"), "--at", at, "--as", "morning")
      #expect(imported.status == .exited(0), "\(imported.errors)")
      let reading = try #require(try home.run("trends", "--morning", "--json").json().last)
      let spoken = try home.run("trends", "--morning", "--speak").lines.first {
        $0.hasPrefix("Latest morning")
      }
      try Self.expectConsistent(reading, #require(spoken), kind: "mornings", day)
      mornings.append(reading)
    }
    #expect(mornings.count == Self.days)
    #expect(nights.count == Self.days - 2 && nights.allSatisfy { $0["counted"]?.bool == true })
    // The nights of the illness, and only those, are below the normal range for long.
    let low = nights.filter { $0["normal_position"]?.text == "below" }
    #expect(low.count >= Self.ill.count && low.count <= Self.ill.count + 4)

    // Other commands state the same values and ranges.
    let trend = try home.run("trends", "--night", "--json").json()
    #expect(trend.map { $0["rmssd_ms"] } == nights.map { $0["rmssd_ms"] })
    for key in ["normal_low_ms", "normal_high_ms", "normal_position", "score", "level"] {
      #expect(trend.map { $0[key] } == nights.map { $0[key] }, "\(key)")
    }
    let stored = try home.run("history", "--night", "--json", "--limit", "99").json()
    #expect(stored.map { $0["rmssd_ms"] } == nights.map { $0["rmssd_ms"] })
    let week = ["report", "--to", MorningTests.date(daysAgo: 1)]
    let report = try #require(try home.run(week[0], week[1], week[2], "--json").json().first)
    print("report:", try home.run(week[0], week[1], week[2]).output)
    #expect(report["nights"]?.number == 7)
  }
}
