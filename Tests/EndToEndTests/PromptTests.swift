import DBus
import Desktop
import FakeBlueZ
import Glibc
import Synchronization
import TestSupport
import Testing

/// Questions, alarms and their answers, with the built program.
@Suite(.ownThreads) struct PromptTests {
  private static let service = "org.freedesktop.Notifications"
  private let fast = ["--simulate", "--speed", "40", "--activity", "still", "--duration", "30m"]

  /// A home whose person has a normal range of RMSSD at rest of about 120 ms: the simulated heart is far below it.
  private func home(_ profile: String = "me") throws -> Home {
    let home = try Home()
    if profile != "me" { _ = try home.run("profile", "add", profile) }
    for setting in [["prompts", "on"], ["prompt-quiet-hours", "off"]] {
      #expect(try home.start(["config", "set"] + setting).outcome().status == .exited(0))
    }
    let person = ["--profile", profile]
    _ = try home.start(["live", "--simulate", "--speed", "max", "--duration", "2m", "--json"] + person)
      .outcome()
    let baseline = ["baseline", "set", "--rmssd", "120", "--sdnn", "120", "--resting-hr", "60"]
    _ = try home.start(baseline + person).outcome()
    let today = time(nil) / 86_400
    let rows = (1...8).flatMap { day in
      (0..<3).map { minute in
        let rmssd = 120 + 9 * Double((day + minute) % 3 - 1)
        return "(1, \(day * 1000 + minute), \(today - day), 60, \(rmssd), \(rmssd))"
      }
    }
    try Database(home.database).run("INSERT INTO resting_window VALUES \(rows.joined(separator: ","))")
    return home
  }

  /// The program in a live session, after its first question.
  private func asked(
    _ home: Home, _ options: String..., with changes: [String: String?] = [:]
  ) throws -> (Program, JSONValue) {
    let program = try home.start(["live", "--json"] + options + fast, with: changes)
    return (program, try program.wait(for: 1, "notice")[0])
  }

  private func prompts(_ home: Home) throws -> [JSONValue] {
    let lines = try home.run("prompts", "--json").json()
    for (type, schema) in [("prompt", "prompt"), ("agreement", "prompt-agreement")] {
      for line in lines where line["type"]?.text == type {
        #expect(try Schema(schema).differences(from: line) == [])
      }
    }
    return lines.filter { $0["type"]?.text == "prompt" }
  }

  /// The calls of a desktop that shows notifications.
  private final class Desktop {
    let bus = try! PrivateBus()
    private let client: BusClient
    private(set) var calls: [[DBusValue]] = []

    init() throws {
      client = try BusClient(address: bus.address)
      try client.own(PromptTests.service)
      client.answer = { [unowned self] member, arguments in
        if member == "Notify" { calls.append(arguments) }
        return .success(member == "Notify" ? [.uint32(UInt32(6 + calls.count))] : [])
      }
    }

    func listen(seconds: Double) { client.listen(seconds: seconds) }

    /// Whether a condition holds while the desktop answers.
    func holds(_ condition: () -> Bool) -> Bool {
      EndToEndTests.holds {
        listen(seconds: 0.05)
        return condition()
      }
    }
  }

  @Test func aQuestionIsAnsweredOnTheDesktop() throws {
    let (home, desktop) = (try home(), try Desktop())
    let (program, notice) = try asked(home, with: ["DBUS_SESSION_BUS_ADDRESS": desktop.bus.address])
    #expect(notice["notice"]?.text == "prompt" && notice["rmssd_ms"]?.number.map { $0 < 80 } == true)
    #expect(desktop.holds { desktop.calls.count == 1 })
    let first = try #require(desktop.calls.first)
    #expect(first[3] == .string("Stressed? By what?"))
    #expect(
      first[5]
        == .strings(["yes", "Yes, because ...", "no", "No", "breathe", "Breathe", "not-today", "Not today"]))
    // No value of the heart.
    #expect(
      first[4] == .string("Your HRV has been below your usual range. You can also answer on the page Now."))
    desktop.listen(seconds: 0.5)
    try invoke("yes", id: 7, at: desktop.bus.address)
    #expect(desktop.holds { desktop.calls.count == 2 })
    #expect(desktop.calls.last?[3] == .string("Noted in the journal as entry 1."))
    let stored = try prompts(home)
    #expect(stored.count == 1 && stored[0]["answer"]?.text == "yes" && stored[0]["entry"]?.number == 1)
    #expect(try home.run("journal", "list").output.contains("prompt 1, RMSSD"))
    program.signal(SIGINT)
  }

  @Test func anAnswerOpensThePageOfTheRunningServer() throws {
    let (home, desktop) = (try home(), try Desktop())
    _ = try home.shell(
      #"printf '#!/bin/sh\necho "$1" > "$HOME/opened"\n' > xdg-open; chmod 700 xdg-open"#)
    let changes: [String: String?] = [
      "DBUS_SESSION_BUS_ADDRESS": desktop.bus.address, "PATH": "\(home.path):/usr/bin:/bin",
    ]
    let server = try home.start(["serve", "--port", "0"], with: changes)
    #expect(server.shows("http://127.0.0.1:"))
    let (program, _) = try asked(home, with: changes)
    #expect(desktop.holds { desktop.calls.count == 1 })
    desktop.listen(seconds: 0.5)
    try invoke("breathe", id: 7, at: desktop.bus.address)
    #expect(desktop.holds { home.contents("opened")?.contains("/calm?profile=me&code=") ?? false })
    #expect(try prompts(home)[0]["answer"]?.text == "breathe" && desktop.calls.count == 1)
    program.signal(SIGINT)
    server.signal(SIGINT)
  }

  /// Several people use one desktop: the question and the commands name the person.
  @Test func aQuestionToAnotherPersonNamesThePerson() throws {
    let (home, desktop) = (try home("anna"), try Desktop())
    let attached = try home.start(["live", "--attach", "--plain"])
    let (session, _) = try asked(
      home, "--profile", "anna", with: ["DBUS_SESSION_BUS_ADDRESS": desktop.bus.address])
    #expect(desktop.holds { desktop.calls.count == 1 })
    #expect(desktop.calls.first?[3] == .string("anna: Stressed? By what?"))
    #expect(attached.shows("stressmon prompts answer yes --prompt 1 --profile anna --trigger work"))
    desktop.listen(seconds: 0.5)
    try invoke("yes", id: 7, at: desktop.bus.address)
    #expect(desktop.holds { desktop.calls.count == 2 })
    #expect(
      desktop.calls.last?[4].string?.hasSuffix("stressmon journal edit 1 --profile anna --trigger work")
        == true)
    session.signal(SIGINT)
    attached.signal(SIGINT)
  }

  @Test func anAnswerThatIsNotStoredIsReported() throws {
    let (home, desktop) = (try home(), try Desktop())
    let (program, _) = try asked(home, with: ["DBUS_SESSION_BUS_ADDRESS": desktop.bus.address])
    #expect(desktop.holds { desktop.calls.count == 1 })
    desktop.listen(seconds: 0.5)
    try Database(home.database).run(
      "CREATE TRIGGER fault BEFORE UPDATE ON prompt BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    try invoke("no", id: 7, at: desktop.bus.address)
    #expect(desktop.holds { desktop.calls.count == 2 })
    #expect(
      desktop.calls.last?[4]
        == .string("Your answer was not stored. Answer with: stressmon prompts answer no --prompt 1"))
    program.signal(SIGINT)
  }

  private func invoke(_ key: String, id: UInt32, at address: String) throws {
    let sender = try PolledBusConnection(address: address)
    let signal = DBusMessage.signal(
      "/org/freedesktop/Notifications", Self.service, "ActionInvoked", [.uint32(id), .string(key)])
    sender.send(try #require(signal))
    sender.flush()
  }

  @Test func withoutADesktopTheSessionAsksInItsOutputAndTheAnswerIsGivenByCommand() throws {
    let (home, bus) = (try home(), try PrivateBus())
    for address in [nil, "unix:path=/nowhere", bus.address] {
      try Database(home.database).run("DELETE FROM prompt")
      let program = try home.start(["live", "--plain"] + fast, with: ["DBUS_SESSION_BUS_ADDRESS": address])
      #expect(program.shows("Stressed? By what?"))
      program.signal(SIGINT)
      _ = try program.outcome()
      #expect(!program.standardOutput.contains("\u{7}"))
    }
    let answer = try home.run("prompts", "answer", "yes", "--trigger", "work", "--note", "late again")
    #expect(answer.status == .exited(0) && answer.output.contains("Noted in the journal as entry"))
    let number = try #require(try prompts(home).first?["id"]?.number)
    let again = try home.run("prompts", "answer", "no", "--prompt", "\(Int(number))")
    #expect(again.status == .exited(1) && again.errors.contains("was answered before, with yes"))
    #expect(try home.run("journal", "list", "--trigger", "work").output.contains("late again (prompt"))
    #expect(try home.run("prompts").output.contains("You agreed 1 of 1."))
    #expect(try home.run("prompts", "answer", "no").errors.contains("there is no such question"))
    #expect(try home.run("prompts", "answer", "maybe").status == .exited(64))
    #expect(try home.run("prompts", "answer", "no", "--trigger", "work").status == .exited(64))
  }

  @Test func aQuestionSurvivesTheDeathOfItsSession() throws {
    let home = try home()
    let (program, _) = try asked(home)
    program.signal(SIGKILL)
    _ = try program.waitForExit()
    #expect(try home.run("prompts", "answer", "not-today").output.contains("until midnight"))
    let stored = try prompts(home)
    #expect(stored[0]["answer"]?.text == "not-today")
    // Not today: the next session does not ask.
    let next = try home.start(["live", "--json"] + fast).outcome()
    #expect(next.status == .exited(0) && !next.output.contains("\"type\":\"notice\""))
  }

  @Test func promptsAreOffByDefault() throws {
    let home = try home()
    _ = try home.run("config", "unset", "prompts")
    let session = try home.start(["live", "--json"] + fast).outcome()
    #expect(!session.output.contains("\"type\":\"notice\""))
    #expect(try prompts(home).isEmpty)
    #expect(try home.run("prompts").output.contains("stressmon config set prompts on"))
  }

  @Test func anAlarmIsPrintedAndSpoken() throws {
    let home = try Home()
    let set = try home.run("config", "set", "alarm", "hr > 30 for 5s; rmssd < 300 for 10s")
    #expect(set.status == .exited(0))
    let run = ["live", "--simulate", "--speed", "max", "--duration", "3m"]
    let lines = try home.start(run + ["--plain"]).outcome().output
    #expect(lines.ranges(of: "Alarm: heart rate above 30 beats per minute for 5 seconds.").count == 1)
    #expect(lines.ranges(of: "Alarm: HRV (RMSSD) below 300 milliseconds for 10 seconds.").count == 1)
    #expect(try home.start(run + ["--speak"]).outcome().output.contains("Alarm: heart rate above 30"))
    let notices = try home.start(run + ["--json"]).outcome().json().filter { $0["type"]?.text == "notice" }
    #expect(notices.map { $0["condition"]?.text } == ["hr > 30 for 5s", "rmssd < 300 for 10s"])
  }

  /// Two minutes with an RMSSD of 80 ms, and four minutes with 6 ms at a higher heart rate.
  @Test func aNewCategoryRingsTheBellOrPostsANotification() throws {
    let (home, desktop) = (try Home(), try Desktop())
    var time = 0
    let lines = (0..<460).map { index in
      let rr = (index < 120 ? 900 : 700) + (index % 2 == 0 ? 1 : -1) * (index < 120 ? 40 : 3)
      time += rr
      return "{\"rr_ms\":[\(rr)],\"t\":\(Double(time) / 1000),\"contact\":true}\n"
    }
    let live = ["live", "--source", try home.folder.write(lines.joined(), to: "lines.jsonl"), "--speed"]
    func categories() throws -> [String?] {
      try home.start(live + ["max", "--json"]).outcome().json().filter { $0["type"]?.text == "notice" }
        .map { $0["category"]?.text }
    }
    #expect(try categories() == [])
    _ = try home.run("config", "set", "sound", "bell")
    let found = try categories()
    #expect(found == ["mild", "moderate"])
    let terminal = try home.shell(
      "script -qec '$stressmon live --source lines.jsonl --speed max --plain' /dev/null")
    #expect(terminal.output.count { $0 == "\u{7}" } == found.count)
    _ = try home.run("config", "set", "sound", "desktop")
    let program = try home.start(
      live + ["20", "--json"], with: ["DBUS_SESSION_BUS_ADDRESS": desktop.bus.address])
    try program.wait(for: found.count, "notice")
    #expect(desktop.holds { desktop.calls.count == found.count })
    #expect(desktop.calls.allSatisfy { $0[3] == .string("Your stress category has changed.") })
    program.signal(SIGINT)
  }

  @Test(arguments: [
    ("alarm", "hr > 170"), ("sound", "loud"), ("prompts", "sometimes"), ("prompt-quiet-hours", "22-7"),
  ])
  func anInvalidSettingIsRejectedWithAnExample(setting: String, value: String) throws {
    let outcome = try Home().run("config", "set", setting, value)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("Example: stressmon config set \(setting)"))
  }
}

/// Notifications with buttons on a private bus.
@Suite(.ownThreads) struct NotificationActionsTests {
  private let notification = DesktopNotification(summary: "Stressed?", body: "")

  private func server(_ bus: PrivateBus, _ count: @escaping () -> UInt32) throws -> BusClient {
    let desktop = try BusClient(address: bus.address)
    try desktop.own("org.freedesktop.Notifications")
    desktop.answer = { _, _ in .success([.uint32(count())]) }
    return desktop
  }

  @Test func anOpenNotificationIsPostedAgainAfterARestartOfTheBus() throws {
    let bus = try PrivateBus()
    let answers = Mutex<[NotificationActions.Answer]>([])
    var posted: UInt32 = 0
    let next = { () -> UInt32 in
      posted += 1
      return posted
    }
    let actions = NotificationActions(address: bus.address)
    do {
      let desktop = try server(bus, next)
      actions.post(notification, [("yes", "Yes")]) { answer in answers.withLock { $0.append(answer) } }
      #expect(
        holds {
          desktop.listen(seconds: 0.05)
          return posted == 1
        })
    }
    bus.stop()
    usleep(1_200_000)
    try bus.start()
    let desktop = try server(bus, next)
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return posted == 2
      })
    desktop.listen(seconds: 0.6)
    let sender = try PolledBusConnection(address: bus.address)
    let signal = DBusMessage.signal(
      "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked",
      [.uint32(2), .string("yes")])
    sender.send(try #require(signal))
    sender.flush()
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return !answers.withLock(\.isEmpty)
      })
    #expect(answers.withLock { $0 } == [.chosen("yes")])
  }

  @Test func withoutAServerANotificationFails() throws {
    let bus = try PrivateBus()
    for address in ["unix:path=/nowhere", bus.address] {
      let answers = Mutex<[NotificationActions.Answer]>([])
      NotificationActions(address: address).post(notification, []) { answer in
        answers.withLock { $0.append(answer) }
      }
      #expect(holds { !answers.withLock(\.isEmpty) })
      if case .failed(let reason)? = answers.withLock(\.first) {
        #expect(!reason.isEmpty)
      } else {
        Issue.record("\(answers.withLock { $0 })")
      }
    }
  }

  /// A restart of the bus must not repeat the alarm of an hour ago.
  @Test func aNotificationWithoutButtonsIsDoneOnceItIsShown() throws {
    let bus = try PrivateBus()
    let answers = Mutex<[NotificationActions.Answer]>([])
    let desktop = try server(bus) { 7 }
    NotificationActions(address: bus.address).post(notification, []) { answer in
      answers.withLock { $0.append(answer) }
    }
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return answers.withLock { $0 } == [.dismissed]
      })
  }

  @Test func openNotificationsAreClosedAtTheEnd() throws {
    let bus = try PrivateBus()
    var posted: UInt32 = 0
    let desktop = try server(bus) {
      posted += 1
      return posted
    }
    let actions = NotificationActions(address: bus.address)
    actions.post(notification, [("yes", "Yes")]) { _ in }
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return posted == 1
      })
    desktop.listen(seconds: 0.4)
    actions.end()
    #expect(
      holds {
        desktop.listen(seconds: 0.05)
        return desktop.questions.last == "CloseNotification"
      })
  }
}
