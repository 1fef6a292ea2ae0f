import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// `measure --every`: a series of readings, with the strap released between them.
@Suite(.ownThreads) struct RepeatedMeasureTests {
  private func start(_ air: Air, _ more: [String]) throws -> Program {
    try air.home.start(["measure", "--duration", "30s", "--strap", Air.address] + more)
  }

  @Test func eachReadingIsOneLineAndOneSessionAndReleasesTheStrap() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats(madeUpRR(200)), rate: 12.5)
    let program = try start(air, ["--every", "40s", "--count", "2", "--json"])
    #expect(strap.subscribed())
    try program.wait(for: 1, "measurement")
    #expect(holds { !strap.isConnected })
    #expect(strap.subscribed())
    let outcome = try program.outcome()
    #expect(outcome.status == .exited(0))
    #expect(holds { !strap.isConnected })
    let readings = try outcome.json()
    #expect(readings.map { $0["type"]?.text } == ["measurement", "measurement"])
    #expect(readings.allSatisfy { $0["stress"]?.number != nil && $0["hr_bpm"] == nil })
    let sessions = try air.home.run("history", "--sessions", "--json").json()
    #expect(sessions.map { $0["session"]?.text } == readings.map { $0["session"]?.text })
    #expect(Set(sessions.compactMap { $0["session"]?.text }).count == 2)
    #expect(sessions.allSatisfy { $0["outcome"]?.text == "finished" })
  }

  @Test func aFailureIsReportedOnceAndTheNextReadingIsTakenOnSchedule() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats(madeUpRR(200)), rate: 12.5)
    air.fake.setPower(false)
    let program = try start(air, ["--every", "35s"])
    let line = try program.waitForLine(in: .errors) { $0.contains("reading failed") }
    #expect(line.contains("adapter hci0 is off") && line.contains("retrying every 35s"))
    // Two failures.
    #expect(
      holds {
        air.fake.calls.filter { $0.member == "GetManagedObjects" }.count >= 2
      })
    air.fake.setPower(true)
    try program.waitForLine { $0.contains("stress ") && $0.contains("(RMSSD)") }
    #expect(program.errorLines.filter { $0.contains("reading failed") } == [line])
    try program.waitForLine(in: .errors) { $0 == "stressmon: readings succeed again" }
    // A scan that finds no strap is not stored.
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .signalled(SIGINT))
    #expect(try air.home.run("history", "--sessions", "--json").lines.count == 1)
  }

  @Test func controlCEndsTheSeriesWhileWaitingAndMeasuring() throws {
    let air = try Air()
    let strap = air.strap()
    let measuring = try start(air, ["--every", "1h"])
    #expect(strap.subscribed())
    measuring.signal(SIGINT)
    #expect(try measuring.waitForExit() == .signalled(SIGINT))
    #expect(holds { !strap.isConnected })
    strap.stream(beats(madeUpRR(200)), rate: 12.5)
    let waiting = try start(air, ["--every", "1h", "--json"])
    try waiting.wait(for: 1, "measurement")
    #expect(holds { !strap.isConnected })
    waiting.signal(SIGINT)
    #expect(try waiting.waitForExit() == .signalled(SIGINT))
  }

  @Test func invalidOptionsAreRejected() throws {
    let home = try Home()
    for arguments in [
      ["--count", "2"], ["--every", "9s"], ["--every", "2d"], ["--every", "15m", "--count", "0"],
      ["--every", "1m", "--duration", "2m"],
    ] {
      #expect(try home.start(["measure", "--simulate"] + arguments).outcome().status == .exited(64))
    }
  }
}
