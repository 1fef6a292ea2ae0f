import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// Desktop notifications at the end of an exercise, on a private session bus with a notification server.
@Suite(.ownThreads) struct NotificationTests {
  private let quick = ["--simulate", "--speed", "max", "--no-store"]

  /// The arguments of each Notify call while the program runs with `arguments`, and the outcome of the run.
  private func notifications(
    _ arguments: [String], _ answer: Result<[DBusValue], BusError> = .success([.uint32(7)])
  ) throws -> (calls: [[DBusValue]], outcome: Outcome) {
    try notifications(answer) { try $0.start(arguments + quick, with: $1) }
  }

  /// The arguments of each Notify call while the program that `start` starts runs, and the outcome.
  private func notifications(
    _ answer: Result<[DBusValue], BusError> = .success([.uint32(7)]),
    _ start: (Home, [String: String?]) throws -> Program
  ) throws -> (calls: [[DBusValue]], outcome: Outcome) {
    let (home, bus) = (try Home(), try PrivateBus())
    let desktop = try BusClient(address: bus.address)
    try desktop.own("org.freedesktop.Notifications")
    var calls: [[DBusValue]] = []
    desktop.answer = { member, arguments in
      guard member == "Notify" else {
        return .failure(BusError(name: "org.freedesktop.DBus.Error.Failed", message: member))
      }
      calls.append(arguments)
      return answer
    }
    let program = try start(home, ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": ":0"])
    program.closeInput()
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return (try? program.waitForExit(seconds: 0.01)) != nil
      })
    return (calls, try program.outcome())
  }

  @Test func theNotificationContainsNoValues() throws {
    let (calls, outcome) = try notifications(["breathe", "--pattern", "box", "--cycles", "2", "--notify"])
    #expect(outcome.status == .exited(0) && !outcome.errors.contains("no notification"))
    #expect(
      calls == [
        [
          .string("stressmon"), .uint32(0), .string("stressmon"), .string("Breathing exercise box finished"),
          .string("The result is shown in the terminal."), .strings([]),
          .properties(["sound-name": .string("complete")]), .int32(-1),
        ]
      ])
    #expect(try notifications(["calm", "--minutes", "0.2", "--notify"]).calls.count == 1)
  }

  @Test("With plain lines or faster than real time, only --notify posts a notification")
  func unasked() throws {
    for options in [[], ["--no-notify"]] {
      let (calls, outcome) = try notifications(["breathe", "--cycles", "1"] + options)
      #expect(calls.isEmpty && outcome.status == .exited(0))
    }
  }

  @Test(
    "The screen view on a desktop posts a notification, except with --no-notify",
    arguments: ["", "--no-notify"])
  func onAScreen(option: String) throws {
    let breathe =
      "\(Program.stressmon) breathe --simulate --no-store --before 0 --pattern 1-1 --cycles 1 \(option)"
    let (calls, outcome) = try notifications { home, environment in
      try home.start(
        "/bin/bash", ["-c", "script -qec '\(breathe)' /dev/null"],
        with: environment.merging(["TERM": "xterm"]) { $1 })
    }
    #expect(outcome.status == .exited(0) && outcome.output.contains("1 of 1 cycles"), "\(outcome.output)")
    #expect(calls.count == (option.isEmpty ? 1 : 0))
  }

  @Test func aRejectedNotificationIsNotAFailure() throws {
    let refusal = BusError(
      name: "org.freedesktop.Notifications.Error.ExcessNotificationGeneration", message: "too many of them")
    let (calls, outcome) = try notifications(["breathe", "--cycles", "1", "--notify"], .failure(refusal))
    #expect(calls.count == 1 && outcome.status == .exited(0))
    #expect(outcome.errors.contains("no notification on the desktop: too many of them"))
  }

  @Test func anExerciseContinuesWithoutADesktop() throws {
    let home = try Home()
    let emptyBus = try PrivateBus()
    for (bus, reason) in [
      (nil, "there is no session bus"), ("unix:path=/nowhere", "/nowhere"),
      (emptyBus.address, "org.freedesktop.Notifications"),
    ] {
      let run = try home.start(
        ["breathe", "--cycles", "1", "--notify"] + quick, with: ["DBUS_SESSION_BUS_ADDRESS": bus]
      ).outcome()
      #expect(run.status == .exited(0) && run.output.contains("HRV ms"))
      #expect(run.errors.contains("no notification on the desktop") && run.errors.contains(reason))
    }
  }

  /// The bus accepts connections and never responds.
  @Test func aHangingBusDoesNotBlockTheExercise() throws {
    let home = try Home()
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = home.file("silent")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(listener, 5) == 0)
    let run = try home.start(
      ["breathe", "--cycles", "1", "--notify"] + quick,
      with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"]
    ).outcome()
    #expect(run.status == .exited(0) && run.errors.contains("did not answer in time"))
  }
}
