import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// The warning of a low battery: once per session, on every output.
@Suite(.ownThreads) struct LowBatteryTests {
  private let warning = "The strap's battery is low"

  /// The output of a live session whose strap reports the levels.
  private func run(_ arguments: [String], levels: [UInt8], _ check: (Air) throws -> Void = { _ in }) throws
    -> Outcome
  {
    let air = try Air()
    let strap = air.strap { $0.battery = levels[0] }
    let program = try air.home.start(["live"] + arguments)
    #expect(strap.subscribed())
    strap.stream(beats(madeUpRR(60)), rate: 200, count: 60)
    for level in levels.dropFirst() {
      usleep(300_000)
      strap.setBattery(level)
    }
    usleep(1_500_000)
    try check(air)
    program.signal(SIGINT)
    return try program.outcome()
  }

  @Test(arguments: [[], ["--speak"]])
  func linesAndSpeechWarnOnce(options: [String]) throws {
    let outcome = try run(options, levels: [15, 14, 16, 13, 90, 12])
    #expect(outcome.output.ranges(of: warning).count == 1, "\(outcome)")
  }

  @Test func aStrapWithChargeCausesNoWarning() throws {
    let outcome = try run([], levels: [90, 16])
    #expect(outcome.output.contains("Connected") && !outcome.output.contains(warning), "\(outcome)")
  }

  @Test func statusContainsTheChargeOfARunningSession() throws {
    _ = try run(["--json"], levels: [30, 15]) { air in
      let status = try air.home.run("status", "--json").json()[0]
      #expect(status["battery_percent"]?.number == 15 && status["battery_low"]?.bool == true, "\(status)")
      #expect(try air.home.run("status").output.contains("battery 15 %"))
    }
  }

  /// A program that connects later receives the charge with the hello.
  @Test func aLaterReaderOfTheFeedReceivesTheCharge() throws {
    _ = try run(["--json"], levels: [30, 15]) { air in
      let hello = try air.home.shell(
        "for s in \"$XDG_RUNTIME_DIR\"/stressmon/live/*.sock; do timeout 30 python3 -c 'import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.makefile().readline())' $s; done"
      )
      #expect(hello.output.contains("\"battery_percent\":15"), "\(hello)")
    }
  }

  @Test(arguments: [[15, 14, 90, 12], [90, 16]] as [[UInt8]])
  func aDesktopNotificationIsPostedOnce(levels: [UInt8]) throws {
    let (air, bus) = (try Air(), try PrivateBus())
    let desktop = try BusClient(address: bus.address)
    try desktop.own("org.freedesktop.Notifications")
    var calls: [[DBusValue]] = []
    desktop.answer = { _, arguments in
      calls.append(arguments)
      return .success([.uint32(7)])
    }
    let strap = air.strap { $0.battery = levels[0] }
    let program = try air.home.start(
      ["live", "--json"], with: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": ":0"])
    #expect(strap.subscribed())
    let posts = levels[0] == 15
    // The program reads the first level some time after its subscription.
    for _ in 0..<600 where posts && calls.isEmpty { desktop.listen(seconds: 0.05) }
    for level in levels.dropFirst() {
      strap.setBattery(level)
      for _ in 0..<10 { desktop.listen(seconds: 0.05) }
    }
    program.signal(SIGINT)
    _ = try program.outcome()
    #expect(calls.count == (posts ? 1 : 0))
    if let call = calls.first {
      #expect(call[3] == .string("The strap's battery is low (15 %)."))
      #expect(call[4] == .string("Replace it before long sessions."))
    }
  }
}
