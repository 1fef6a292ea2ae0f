import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// The service with the interfaces of systemd.
@Suite(.ownThreads) struct ServiceTests {
  private func start(
    _ air: Air, _ socket: NotifySocket, _ arguments: [String], watchdog: String? = nil
  ) throws -> Program {
    try air.home.start(arguments, with: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": watchdog])
  }

  @Test(arguments: NotifySocket.Kind.allCases)
  func theServiceIsReadyWhenScanningAndReportsTheLink(kind: NotifySocket.Kind) throws {
    let air = try Air()
    let strap = air.strap { $0.isAdvertising = false }
    let socket = try NotifySocket(kind)
    let service = try start(
      air, socket, ["service", "--strap", strap.address], watchdog: "\(3_000_000)")
    #expect(socket.wait { $0 == "READY=1" } != nil)
    #expect(socket.wait { $0.hasPrefix("STATUS=searching") } != nil)
    // Keep-alives are also sent while no strap is found.
    #expect(socket.wait { $0 == "WATCHDOG=1" } != nil)
    strap.advertise(true)
    #expect(socket.wait { $0 == "STATUS=connected Polar H10 TEST (\(strap.address))" } != nil)
    #expect(strap.subscribed())
    strap.stream(beats(madeUpRR(1000)), rate: 50)
    #expect(holds { strap.sentCount > 100 })
    strap.loseLink()
    #expect(socket.wait { $0.hasPrefix("STATUS=lost") } != nil)
    #expect(socket.wait { $0 == "WATCHDOG=1" } != nil)
    service.signal(SIGTERM)
    #expect(socket.wait { $0 == "STOPPING=1" } != nil)
    let outcome = try service.outcome()
    #expect(outcome.status == .signalled(SIGTERM))
    #expect(outcome.lines.contains("connected Polar H10 TEST (\(strap.address))"))
    // Other users can read the system journal, so it contains no heart values.
    for word in ["bpm", "stress", "RMSSD", "confidence"] {
      #expect(!(outcome.output + outcome.errors).contains(word))
    }
    let sessions = try air.home.run("history", "--sessions", "--json").json()
    #expect(sessions.map { $0["outcome"]?.text } == ["finished"])
    #expect((sessions.first?["events"]?.number ?? 0) > 100)
  }

  /// While a reader of standard output is stopped, the session continues and reports it. The reader then receives all data.
  @Test func aStoppedReaderDoesNotBlockTheSession() throws {
    let air = try Air()
    let strap = air.strap()
    let socket = try NotifySocket()
    let live = try start(
      air, socket, ["live", "--json", "--strap", strap.address], watchdog: "\(300_000)")
    #expect(strap.subscribed())
    let rr = madeUpRR(1000)
    strap.stream(beats(rr), rate: 500, count: rr.count)
    // The pipe buffers 64 KiB, a tenth of the output.
    #expect(holds { storedEvents(air) >= rr.count })
    socket.drain()
    #expect(socket.wait { $0 == "WATCHDOG=1" } != nil)
    // Buffered output is written without new events.
    try live.wait(for: rr.count, "measurement")
    live.signal(SIGINT)
    let outcome = try live.outcome()
    #expect(outcome.status == .signalled(SIGINT))
    #expect(try outcome.json().rr.starts(with: rr.milliseconds))
  }

  private func storedEvents(_ air: Air) -> Int {
    let sessions = try? air.home.run("history", "--sessions", "--json").json()
    return Int(sessions?.first?["events"]?.number ?? 0)
  }

  @Test func theServiceRequiresAKnownStrap() throws {
    let air = try Air()
    air.strap()
    let outcome = try air.home.run("service")
    #expect(outcome.status == .exited(2))
    #expect(outcome.errors.contains("stressmon pair"))
    #expect(!air.fake.calls.contains { $0.member == "StartDiscovery" })
  }

  /// The service waits while a manual run holds the lock of the profile.
  @Test func theServiceWaitsForAManualRun() throws {
    let air = try Air()
    let strap = air.strap()
    let live = try air.live(strap)
    let socket = try NotifySocket()
    let service = try start(air, socket, ["service", "--strap", strap.address])
    #expect(socket.wait { $0 == "READY=1" } != nil)
    #expect(socket.wait { $0.contains("profile 'me' is in use") } != nil)
    try service.waitForLine(in: .errors) {
      $0.contains("profile 'me' is in use") && $0.contains("retrying every minute")
    }
    service.signal(SIGTERM)
    #expect(try service.waitForExit() == .signalled(SIGTERM))
    live.signal(SIGINT)
    #expect(try live.waitForExit() == .signalled(SIGINT))
  }

  @Test func theServiceTakesAReadingAndReleasesTheStrap() throws {
    let air = try Air()
    let strap = air.strap()
    for (key, value) in [("service", "15m"), ("window", "30s"), ("strap", strap.address)] {
      #expect(try air.home.run("config", "set", key, value).status == .exited(0))
    }
    let socket = try NotifySocket()
    let service = try start(air, socket, ["service"], watchdog: "\(30_000_000)")
    #expect(strap.subscribed())
    strap.stream(beats([800]), rate: 1.25)
    try service.waitForLine { $0.hasPrefix("Stored a reading in session ") }
    #expect(socket.wait { $0.hasPrefix("STATUS=Next reading at ") } != nil)
    #expect(holds { !strap.isConnected })
    service.signal(SIGTERM)
    #expect(try service.waitForExit() == .signalled(SIGTERM))
    #expect(try air.home.run("history", "--json").lines.count > 0)
  }
}

/// Files that are installed beside the program.
@Suite(.ownThreads) struct InstallationTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  @Test func uninstallRemovesEveryInstalledFile() throws {
    let home = try Home()
    let make = "make -s -C '\(Self.root)' DESTDIR=\"$HOME/root\" PREFIX=/usr"
    let installed = try home.shell("\(make) install-service && find root -type f | sort")
    #expect(
      installed.lines == [
        "root/usr/lib/udev/rules.d/70-stressmon.rules",
        "root/usr/share/systemd/user/stressmon-collect.service",
        "root/usr/share/systemd/user/stressmon-digest.service",
        "root/usr/share/systemd/user/stressmon-digest.timer",
        "root/usr/share/systemd/user/stressmon-publish.service",
        "root/usr/share/systemd/user/stressmon-serve.service",
        "root/usr/share/systemd/user/stressmon-sync.service",
        "root/usr/share/systemd/user/stressmon.service",
      ], "\(installed.errors)")
    let unit = try #require(home.contents("root/usr/share/systemd/user/stressmon.service"))
    #expect(unit.contains("\nExecStart=/usr/bin/stressmon service\n"))
    #expect(!unit.contains("@BINDIR@"))
    #expect(try home.shell("\(make) uninstall && find root -type f").output == "")
  }

  @Test("make install installs the documentation, and make uninstall removes it")
  func documentation() throws {
    let home = try Home()
    let make = "make -s -C '\(Self.root)' DESTDIR=\"$HOME/root\" PREFIX=/usr"
    let installed = try home.shell("\(make) install-docs install-examples && ls -R root/usr/share/doc")
    #expect(installed.lines.contains("json.md") && installed.lines.count >= 18, "\(installed.errors)")
    #expect(installed.lines.contains("nats-server.conf"))
    let examples = "root/usr/share/doc/stressmon-net/examples"
    #expect(try home.shell("\(examples)/fleet/certificates").status == .exited(64))
    #expect(try home.shell("\(make) --dry-run install").output.contains("share/doc/stressmon"))
    #expect(try home.shell("\(make) uninstall && find root/usr/share/doc").output == "root/usr/share/doc\n")
  }

  @Test("The desktop entries are valid, and installed and removed with the program")
  func desktopEntries() throws {
    let home = try Home()
    let make = "make -s -C '\(Self.root)' DESTDIR=\"$HOME/root\" PREFIX=/usr"
    let installed = try home.shell("\(make) install-desktop && find root -type f | sort")
    #expect(
      installed.lines == [
        "root/usr/share/applications/stressmon.desktop",
        "root/usr/share/dbus-1/interfaces/org.stressmon.Stressmon1.xml",
        "root/usr/share/doc/stressmon/examples/desktop/stressmon-status",
        "root/usr/share/icons/hicolor/scalable/apps/stressmon.svg",
        "root/usr/share/metainfo/org.stressmon.Stressmon.metainfo.xml",
      ], "\(installed.errors)")
    #expect(try home.shell("\(make) uninstall && find root -type f").output == "")
    let check = try home.shell("'\(Self.root)/Packaging/check-desktop'")
    // 77: no tool is installed.
    #expect(check.status == .exited(0) || check.status == .exited(77), "\(check.errors)")
  }

  /// Uses the tools of systemd that are installed.
  @Test func udevRulesAndUnitAreValid() throws {
    let home = try Home()
    let check = try home.shell("'\(Self.root)/Packaging/check-service' \"$stressmon\"")
    // 77: no tool is installed.
    #expect(check.status == .exited(0) || check.status == .exited(77), "\(check.errors)")
    if check.status == .exited(0) {
      #expect(
        check.output.hasPrefix("no fault found by udevadm")
          || check.output.hasPrefix("no fault found by systemd"))
    }
  }

  /// In a real user manager, which requires root: ready, sandboxed, restarted when it hangs, stopped cleanly.
  @Test func theUnitRunsUnderSystemd() throws {
    let home = try Home()
    let trial = try home.shell("'\(Self.root)/Packaging/try-service' \"$stressmon\"")
    #expect(trial.status == .exited(0) || trial.status == .exited(77), "\(trial.errors)")
  }
}
