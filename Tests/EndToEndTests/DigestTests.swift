import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// The weekly digest and the daily values of a history of simulated mornings.
@Suite(.ownThreads) struct DigestTests {
  /// A history with a morning reading on each of the days before today.
  private static func history(days: Range<Int>) throws -> Home {
    let home = try Home()
    for day in days.reversed() {
      let at = ["--at", "\(MorningTests.date(daysAgo: day))T00:00:00Z", "--seed", "\(300 - day)"]
      _ = try home.start(["morning", "--simulate", "--speed", "max"] + at).outcome()
    }
    return home
  }

  /// Runs the digest with a desktop, and returns the bodies of its notifications.
  private static func notify(
    _ home: Home, _ options: [String], answer: Result<[DBusValue], BusError> = .success([.uint32(7)])
  ) throws -> (bodies: [String], outcome: Outcome) {
    let bus = try PrivateBus()
    let desktop = try BusClient(address: bus.address)
    try desktop.own("org.freedesktop.Notifications")
    var bodies: [String] = []
    desktop.answer = { _, arguments in
      bodies.append(arguments.count > 4 ? arguments[4].string ?? "" : "")
      return answer
    }
    let program = try home.start(
      ["report", "--digest", "--notify"] + options, with: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    program.closeInput()
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return (try? program.waitForExit(seconds: 0.01)) != nil
      })
    return (bodies, try program.outcome())
  }

  @Test("The digest is posted once per week, and its report is written to the folder")
  func onceAWeek() throws {
    let home = try Self.history(days: 1..<18)
    let printed = try home.run("report", "--digest")
    #expect(printed.output.contains(/^Your HRV in the mornings was .* this week: \d+ ms, usually \d+\.\n$/))
    // Off by default.
    #expect(try Self.notify(home, ["--if-wanted"]).bodies == [])
    _ = try home.run("config", "set", "digest", "on")
    _ = try home.run("config", "set", "digest-folder", "~/reports")

    // A desktop that refuses is a failure, after which the next run posts.
    let refusal = BusError(name: "org.freedesktop.DBus.Error.Failed", message: "not now")
    let refused = try Self.notify(home, ["--if-wanted"], answer: .failure(refusal))
    #expect(refused.bodies.count == 1 && refused.outcome.status == .exited(1))
    #expect(refused.outcome.errors.contains("not now"))
    let first = try Self.notify(home, ["--if-wanted"])
    #expect(first.bodies == [String(printed.output.dropLast())] && first.outcome.status == .exited(0))
    let second = try Self.notify(home, ["--if-wanted"])
    #expect(second.bodies == [] && second.outcome.status == .exited(0))

    let files = try home.shell("find reports -type f -printf '%m %f\\n'").lines
    #expect(files.count == 1 && files[0].contains(/^600 stressmon-me-\d{4}-\d\d-\d\d\.html$/), "\(files)")
    // An existing file is never replaced.
    _ = try home.shell("echo mine > reports/*.html; rm -r .local")
    #expect(try Self.notify(home, ["--if-wanted"]).bodies.count == 1)
    #expect(try home.shell("cat reports/*.html").output == "mine\n")
  }

  @Test func anEmptyWeekPostsNothing() throws {
    let home = try Self.history(days: 1..<2)
    let day = MorningTests.date(daysAgo: 30)
    let empty = try Self.notify(home, ["--to", day])
    #expect(empty.bodies == [] && empty.outcome.output.contains("too few measurements"))
    #expect(empty.outcome.status == .exited(0))
    for options in [["--notify"], ["--digest", "--json"], ["--digest", "--if-wanted"]] {
      #expect(try home.start(["report"] + options).outcome().status == .exited(64))
    }
  }

  @Test("Only morning readings are exported as daily values")
  func dailyValues() throws {
    let home = try Self.history(days: 1..<4)
    _ = try home.run("measure", "--simulate", "--speed", "max")
    let mornings = try home.run("history", "--morning", "--json").json()
    let days = (1..<4).reversed().map { MorningTests.date(daysAgo: $0) }
    let intervals = try home.run("export", "--format", "intervals", "--output", "-").lines
    #expect(intervals.first == "date,restingHR,hrv,stress" && intervals.count == 4, "\(intervals)")
    let hrv4training = try home.run("export", "--format", "hrv4training", "--output", "-").lines
    #expect(hrv4training.first == "timestamp_measurement,HR,rMSSD" && hrv4training.count == 4)
    for (place, day) in days.enumerated() {
      let morning = try #require(mornings.first { $0["time"]?.text?.hasPrefix(day) == true })
      let rmssd = try #require(morning["rmssd_ms"]?.number)
      let heartRate = try #require(morning["mean_hr_bpm"]?.number)
      let tenths = "\((rmssd * 10).rounded() / 10)"
      #expect(intervals[place + 1] == "\(day),\(Int(heartRate.rounded())),\(tenths),")
      let time = try #require(morning["time"]?.text).prefix(19)
      #expect(hrv4training[place + 1] == "\(time),\((heartRate * 10).rounded() / 10),\(tenths)")
    }
    let last = try home.run("export", "--format", "intervals", "--from", days[2], "--output", "-")
    #expect(last.lines.count == 2)
    let file = try home.shell("$stressmon export --format intervals && cat intervals.csv")
    #expect(file.lines == intervals)
    #expect(
      try home.run("export", "--format", "intervals", "--category", "high").status == .exited(64))
  }
}
