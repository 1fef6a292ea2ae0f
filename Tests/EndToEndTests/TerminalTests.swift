import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// The program on a terminal, controlled by keys.
@Suite(.ownThreads, .enabled(if: TerminalWindow.isAvailable, "tmux is not installed: make test installs it"))
struct TerminalTests {
  @Test func keysHaveTheirDocumentedEffects() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    try window.run("$stressmon live --simulate --speed 20 --record a.jsonl; echo status $?")
    #expect(window.shows("h help  q quit  space pause") && window.showsHeartRate())
    try window.type("h")
    #expect(window.shows("Mark this moment in the session"))
    try window.type("x")
    #expect(window.shows("Stress  "))
    try window.type(" ")
    #expect(window.shows("Paused at") && window.text.contains("(not live)"))
    try window.type("p")
    #expect(window.waits { !$0.contains { $0.contains("Paused at") } })
    try window.type("w")
    #expect(window.shows("60 s   stress"))
    try window.type("m")
    #expect(window.shows("Mark 1 at"))

    for (columns, rows) in [(40, 12), (120, 40), (60, 20)] {
      try window.resize(columns: columns, rows: rows)
      // The screen is redrawn completely.
      let hasChart = rows >= 20
      #expect(
        window.waits { lines in
          lines.count { $0.contains("Stress  ") } == 1 && lines.count { $0.contains("h help") } == 1
            && lines.contains { $0.contains("Time between heartbeats in ms") } == hasChart
        }, "\(columns) x \(rows): \(window.text)")
    }
    try window.type("q")
    #expect(window.shows("status 0"))

    let recorded = try home.run("replay", home.file("a.jsonl"), "--speed", "max", "--json")
    #expect(try recorded.json().of(type: "mark").compactMap { $0["text"]?.text } == ["mark 1"])
    let session = try #require(try recorded.json().first?["session"]?.text)
    #expect(
      try home.run("replay", "--session", session, "--speed", "max", "--json").output == recorded.output)
    let entry = try #require(try home.run("journal", "--json").json().first)
    #expect(entry["session"]?.text == session && entry["note"]?.text?.hasPrefix("mark 1, ") == true)
  }

  /// Two persons, and a session that another database stores.
  @Test func sessionsOfOtherProcessesAreShownOneAtATime() throws {
    let home = try Home()
    _ = try home.run("profile", "add", "anna")
    let window = try TerminalWindow(home)
    try window.run(
      """
      for person in me anna; do $stressmon live --simulate --profile $person > /dev/null 2>&1 & done; \
      $stressmon live --simulate --db other.db > /dev/null 2>&1 & sleep 1; clear; \
      $stressmon live --attach; echo status $?; kill %1 %2 %3
      """)
    #expect(window.shows("Session 1 of 2, of other programs.") && window.showsHeartRate(), "\(window.text)")
    let first = window.text.contains("· anna ·") ? ("anna", "me") : ("me", "anna")
    #expect(window.text.contains("· \(first.0) ·"))
    try window.type("n")
    #expect(window.shows("· \(first.1) ·") && window.shows("Session 2 of 2"))
    try window.type("m")
    #expect(window.shows("Marked as: mark 1"), "\(window.text)")
    try window.type("h")
    #expect(window.shows("Leave this screen; the session continues"))
    try window.type("x")
    try window.type("q")
    #expect(window.shows("status 0"))
    #expect(
      window.waits { _ in
        (try? home.run("journal", "--profile", first.1, "--json").output.contains("mark 1")) ?? false
      })
  }

  @Test func aReadingShowsCountdownAndCurveAndStatesWhatIsKept() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    try window.run("$stressmon measure --simulate --speed 2; echo status $?")
    #expect(window.shows(" left  [") && window.showsHeartRate())
    #expect(window.shows("Time between heartbeats in ms"))
    try window.type("q")
    #expect(window.shows("without a result, which requires"))
    #expect(window.shows("status 3"))
    try window.run("clear; $stressmon measure --simulate --speed 20 --duration 10m --no-store")
    #expect(
      window.waits { $0.contains { $0.contains("Confidence medium") || $0.contains("Confidence high") } })
    try window.press("C-c")
    #expect(window.shows("of 600 s. Nothing is stored."), "\(window.text)")
    #expect(window.text.contains("HRV  "))
    #expect(try !window.isRaw())
  }

  @Test func theAnswerAfterAMorningReadingBelongsToItsMorning() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    try window.run("$stressmon morning --simulate --speed max; echo status $?")
    #expect(window.shows("1 slept badly   2 sore muscles   3 alcohol   4 ill"))
    try window.run("5")
    #expect(window.waits { $0.count { $0.hasPrefix("  1 slept badly") } == 2 }, "\(window.text)")
    try window.run("3, 1")
    #expect(window.shows("Added to your journal: slept badly, alcohol."), "\(window.text)")
    #expect(window.shows("status 0"))
    let entry = try #require(try home.run("journal", "--json").json().first)
    let morning = try #require(try home.run("history", "--morning", "--json").json().first)
    #expect(entry["session"]?.text == morning["session"]?.text)
    #expect(entry["triggers"]?.elements.compactMap(\.text) == ["alcohol", "slept badly"])
    let (written, read) = (try #require(entry["time"]?.text), try #require(morning["time"]?.text))
    #expect(written < read)
    // The second reading of a day is not in the series, so nothing is asked.
    try window.run("clear; $stressmon morning --simulate --speed max; echo status $?")
    #expect(window.shows("status 0") && !window.text.contains("slept badly"))
  }

  @Test func theHistoryIsPrintedInColour() throws {
    let home = try Home()
    _ = try home.run("measure", "--simulate", "--speed", "max")
    let shown = try home.shell(
      "script -qec \"$stressmon history\" /dev/null", with: ["TERM": "xterm-256color"])
    #expect(shown.output.contains("\u{1B}[") && !shown.output.contains("\u{FFFD}"), "\(shown.output)")
    #expect(shown.output.contains("Relaxed"))
  }

  /// The first run with the simulated strap stores nothing, so it is offered again.
  @Test func withoutArgumentsAFirstRunIsGuidedAndLaterTheDayIsShown() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    try window.run("$stressmon; echo status $?")
    #expect(window.shows("s for a simulated one, q to quit:"))
    try window.run("s")
    #expect(window.shows("status 0"))
    #expect(
      window.text.contains("(simulated)") && window.text.contains("Watch your heart live: stressmon live"))
    try window.run("clear; $stressmon; echo status $?")
    #expect(window.shows("q to quit:"))
    try window.run("q")
    #expect(window.shows("Start again with: stressmon"))
    _ = try home.run("measure", "--simulate", "--speed", "max")
    for (columns, rows) in [(80, 24), (40, 24), (120, 40)] {
      try window.resize(columns: columns, rows: rows)
      try window.run("clear; $stressmon; echo status $?")
      #expect(window.shows("status 0"))
      let text = window.text
      #expect(text.contains("Relaxed") && text.contains("no morning reading yet"), "\(text)")
      #expect(text.contains("Running") && text.contains("stressmon journal add"), "\(text)")
    }
    try window.run("clear; $stressmon show; $stressmon explain; echo status $?")
    #expect(window.shows("status 0"))
  }

  @Test func aMarkIsRecordedWhileTheStrapIsSilent() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    // The next notification arrives after more than a minute.
    try window.run("$stressmon live --simulate --speed 0.01 --record a.jsonl; echo status $?")
    #expect(window.shows("h help  q quit"))
    try window.type("m")
    func marks() throws -> [String?] {
      try home.run("replay", home.file("a.jsonl"), "--speed", "max", "--json").json().of(type: "mark").map {
        $0["text"]?.text
      }
    }
    let early = try givenTime { seconds in
      sleep(UInt32(seconds))
      return try marks()
    } until: {
      !$0.isEmpty
    }
    #expect(early == ["mark 1"])
    try window.type("q")
    #expect(window.shows("status 0"))
    #expect(try marks() == ["mark 1"])
  }

  @Test func anExerciseReturnsToTheSession() throws {
    let home = try Home()
    let window = try TerminalWindow(home, columns: 100, rows: 30)
    try window.run("$stressmon live --simulate --speed 20; echo status $?")
    #expect(window.showsHeartRate())
    try window.type("b")
    #expect(window.shows("Press any key to return to the live screen"))
    #expect(window.text.contains("Breathing 4-7-8: 4 of 4 cycles") && window.text.contains("HRV ms"))
    try window.type(" ")
    #expect(window.shows("h help  q quit") && window.text.contains("Stress  "))
    // An exercise that ends immediately has no result, and the session continues.
    try window.type("b")
    #expect(window.shows("Space pauses, q ends"))
    try window.type("q")
    #expect(window.shows("ended before the breathing started"))
    try window.type("q")
    #expect(window.shows("status 0") && window.text.contains("Breathing exercises stored: 1"))
    let exercises = try home.run("history", "--breathing", "--json").json()
    #expect(exercises.count == 1 && exercises.first?["cycles"]?.number == 4)
  }

  @Test func aReplayHasItsOwnSetOfKeys() throws {
    let home = try Home()
    _ = try home.run(
      "record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "10m", "--no-store")
    let window = try TerminalWindow(home)
    try window.run("$stressmon replay a.jsonl --speed 20; echo status $?")
    #expect(window.shows("h help  q quit  space pause  w window"))
    try window.type("mb")
    try window.type(" ")
    #expect(window.shows("Paused at"))
    try window.type("q")
    #expect(window.shows("status 0"))
  }

  @Test func keysApplyToAllSessions() throws {
    let air = try Air()
    let straps = [air.strap(), air.strap(Air.other, "Other H9")]
    try air.home.add(profiles: "anna", "ben")
    let window = try TerminalWindow(air.home, columns: 100, rows: 40)
    try window.run(
      "$stressmon live --strap \(straps[0].address)=anna --strap \(straps[1].address)=ben; echo status $?")
    for strap in straps {
      #expect(strap.subscribed())
      strap.stream(beats(madeUpRR(10_000)), rate: 5)
    }
    #expect(window.waits { $0.count { $0.hasPrefix("HR ") && $0.contains(" bpm") } == 2 })
    #expect(window.text.contains("m mark") && !window.text.contains("b breathe"))
    try window.type("m")
    #expect(window.shows("Mark 1 is in every session"))
    try window.type("q")
    #expect(window.shows("status 0"))
    for profile in ["anna", "ben"] {
      let entries = try air.home.run("journal", "--json", "--profile", profile).json()
      #expect(entries.count == 1 && entries.first?["session"]?.text != nil, "\(profile)")
    }
  }

  @Test("A spoken session handles the keys h, m and q")
  func aSpokenSessionAnswersKeys() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    try window.run("$stressmon live --simulate --speak --speed 20; echo status $?")
    #expect(window.shows("Press h for the list of keys."))
    try window.type("h")
    #expect(window.shows("m marks this moment in the session"))
    // A session without data is not stored.
    #expect(window.shows("Collecting data: "))
    try window.type("m")
    #expect(window.shows("Mark 1 is in the session and in the journal, as entry 1."))
    try window.type("q")
    #expect(window.shows("Ending the session.") && window.shows("status 0"))
  }

  @Test("Q is acknowledged immediately, and other keys are then ignored")
  func quittingHasFeedback() throws {
    let air = try Air()
    let strap = air.strap(Air.address, "Polar H10 TEST") { $0.script.disconnectDelay = 4 }
    let window = try TerminalWindow(air.home)
    try window.run("$stressmon live --strap \(strap.address); echo status $?")
    #expect(strap.subscribed())
    strap.stream(beats(madeUpRR(10_000)), rate: 5)
    #expect(window.showsHeartRate())
    try window.type("qm")
    // The session ends after bluetoothd has ended the link.
    #expect(window.shows("Ending the session...") && strap.isConnected)
    #expect(window.shows("status 0") && !strap.isConnected)
    #expect(!window.text.contains("Mark 1"))
    #expect(try air.home.run("journal", "--json").lines.isEmpty)
  }

  @Test("A spoken exercise handles q")
  func aSpokenExerciseAnswersKeys() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    for command in ["calm --speak", "calm --grounding --speak", "breathe --simulate --no-store --speak"] {
      try window.run("clear; $stressmon \(command); echo status $?")
      #expect(window.shows(", q "), "\(command)")
      try window.type("q")
      #expect(window.shows("status 0"), "\(command)")
    }
  }

  enum End: String, CaseIterable, Sendable {
    case quit, controlC, terminate, hangUp, crash

    /// The exit status in a shell.
    var status: Int32 {
      switch self {
      case .quit: 0
      case .controlC: 128 + SIGINT
      case .terminate: 128 + SIGTERM
      case .hangUp: 128 + SIGHUP
      case .crash: 128 + SIGSEGV
      }
    }
  }

  @Test(arguments: ["live", "breathe"], End.allCases)
  func theTerminalModeIsRestoredAtEveryEnd(command: String, end: End) throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    let before = try window.mode()
    try window.run("sh -c 'echo $$ > pid; exec $stressmon \(command) --simulate --no-store'")
    #expect(window.shows(command == "live" ? " bpm" : "Rest"))
    #expect(try window.isRaw())
    switch end {
    case .quit: try window.type("q")
    case .controlC: try window.press("C-c")
    default:
      let text = try #require(home.contents("pid"))
      let process = try #require(Int32(text.filter(\.isNumber)))
      kill(process, end.status - 128)
    }
    // The prompt is shown again; after SIGINT, the shell skips the rest of a command list.
    #expect(window.waits { $0.last { !$0.isEmpty } == ">" })
    try window.run("echo status $?")
    #expect(window.shows("status \(end.status)"))
    #expect(try window.mode() == before)
  }

  @Test func aStoppedProgramDoesNotUseTheTerminal() throws {
    let home = try Home()
    let window = try TerminalWindow(home)
    let before = try window.mode()
    try window.run("$stressmon live --simulate --no-store")
    #expect(window.showsHeartRate())
    try window.press("C-z")
    #expect(window.shows("Stopped"))
    #expect(try window.mode() == before)
    // In the background, the program draws and reads no keys.
    try window.run("bg")
    try window.run("echo q > typed")
    #expect(holds { home.contents("typed") == "q\n" })
    #expect(try window.mode() == before)
    try window.run("fg")
    #expect(holds { (try? window.isRaw()) == true })
    try window.type("h")
    #expect(window.shows("Mark this moment in the session"))
    try window.type("x")
    try window.type("q")
    #expect(holds { (try? window.mode()) == before })
  }
}
