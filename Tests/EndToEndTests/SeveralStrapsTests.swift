import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// One run with two straps, for two profiles or for one.
@Suite(.ownThreads) struct SeveralStrapsTests {
  /// Straps of two people, and the run that measures with both.
  private struct Pair {
    let air: Air
    let anna: StrapControl
    let ben: StrapControl

    init(_ change: (inout FakeStrap) -> Void = { _ in }) throws {
      air = try Air()
      try air.home.add(profiles: "anna", "ben")
      anna = air.strap(Air.address, "Polar H10 TEST", change)
      ben = air.strap(Air.other, "Other H9", change)
    }

    func live(_ arguments: [String] = ["--json"]) throws -> Program {
      try air.home.start(["live", "--strap", "\(Air.address)=anna", "--strap", "other h9=ben"] + arguments)
    }
  }

  /// Every other interval equals the one before, as from a sensor that rounds. These are not duplicates.
  private func rounded(_ count: Int, seed: UInt64) -> [UInt16] {
    var generator = SeededGenerator(seed: seed)
    var last: UInt16 = 800
    return (0..<count).map { _ in
      if Bool.random(using: &generator) { last = .random(in: 717...921, using: &generator) }
      return last
    }
  }

  @Test func twoStrapsAt100NotificationsPerSecondLoseNoData() throws {
    let pair = try Pair()
    let rr = (anna: rounded(600, seed: 1), ben: rounded(600, seed: 2))
    pair.anna.stream(beats(rr.anna), rate: 100, count: 600)
    pair.ben.stream(beats(rr.ben), rate: 100, count: 600)
    let program = try pair.live()
    try program.waitForLines(1200) { $0.hasPrefix("{\"type\":\"measurement\"") }
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(live.status == .signalled(SIGINT))
    #expect(!live.errors.contains("stressmon:"), "\(live.errors)")

    let lines = try live.json()
    for (name, truth, strap) in [("anna", rr.anna, pair.anna), ("ben", rr.ben, pair.ben)] {
      let own = lines.filter { $0["profile"]?.text == name }
      #expect(own.rr == truth.milliseconds)
      #expect(own.of(type: "notification").allSatisfy { $0["strap"]?.text == strap.address })
      #expect(own.last?["type"]?.text == "end")
      #expect(Set(own.compactMap { $0["session"]?.text }).count == 1)
      #expect(!strap.isConnected)
      // The output of each session equals its replay.
      let session = try #require(own.first?["session"]?.text)
      let stored = try pair.air.home.run(
        "replay", "--session", session, "--profile", name, "--speed", "max", "--json")
      #expect(stored.lines == live.lines.filter { $0.contains(session) })
    }
    let sessions = try pair.air.home.run("history", "--sessions", "--json", "--profile", "ben").json()
    #expect(sessions.map { $0["outcome"]?.text } == ["finished"])
    #expect(sessions.map { $0["strap_name"]?.text } == ["Other H9"])
  }

  @Test func twoStrapsCanMeasureForOneProfile() throws {
    let pair = try Pair()
    pair.anna.stream(beats([900]), rate: 20)
    pair.ben.stream(beats([910]), rate: 20)
    let program = try pair.air.home.start([
      "live", "--json", "--strap", Air.address, "--strap", Air.other,
    ])
    for strap in [Air.address, Air.other] {
      try program.waitForLines(30) { $0.hasPrefix("{\"type\":\"measurement\"") && $0.contains(strap) }
    }
    program.signal(SIGINT)
    #expect(try program.outcome().status == .signalled(SIGINT))
    let sessions = try pair.air.home.run("history", "--sessions", "--json").json()
    #expect(sessions.map { $0["profile"]?.text } == ["me", "me"])
    #expect(Set(sessions.compactMap { $0["strap"]?.text }) == [Air.address, Air.other])
    // Neither session marks the other as interrupted.
    #expect(sessions.map { $0["outcome"]?.text } == ["finished", "finished"])
  }

  @Test func aSearchForALostStrapDoesNotAffectTheOther() throws {
    let pair = try Pair { $0.script.connectFailsDuringDiscovery = true }
    let rr = madeUpRR(400)
    pair.ben.stream(beats(rr), rate: 50, count: rr.count)
    let program = try pair.live()
    #expect(pair.anna.subscribed() && pair.ben.subscribed())
    pair.anna.advertise(false)
    pair.anna.loseLink()
    try program.waitForLine { $0.contains("\"state\":\"lost\"") && $0.contains("\"profile\":\"anna\"") }
    try program.waitForLines(rr.count) {
      $0.hasPrefix("{\"type\":\"measurement\"") && $0.contains("\"profile\":\"ben\"")
    }
    // The second strap is lost during the scan for the first.
    pair.ben.loseLink()
    try program.waitForLines(2) {
      $0.contains("\"state\":\"connected\"") && $0.contains("\"profile\":\"ben\"")
    }
    pair.anna.advertise(true)
    try program.waitForLines(2) {
      $0.contains("\"state\":\"connected\"") && $0.contains("\"profile\":\"anna\"")
    }
    program.signal(SIGINT)
    let lines = try program.outcome().json()
    #expect(lines.filter { $0["profile"]?.text == "ben" }.rr == rr.milliseconds)
    let ends = lines.of(type: "end").compactMap { $0["profile"]?.text }
    #expect(Set(ends) == ["anna", "ben"])
  }

  @Test func anAbsentStrapIsReportedAndTheOtherContinues() throws {
    let pair = try Pair()
    pair.anna.advertise(false)
    pair.ben.stream(beats([900]), rate: 10)
    let program = try pair.live(["--plain"])
    try program.waitForLine(in: .errors) {
      $0.hasPrefix("stressmon: anna: no strap C0:00:00:00:00:01 answered")
    }
    let seen = program.outputLines.count
    try program.waitForLines(seen + 3) { _ in true }
    #expect(pair.ben.isConnected)
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(live.status == .signalled(SIGINT))
    #expect(live.output.contains("  ben   HR 72 bpm  "))
    #expect(live.errors.contains("ben: Session "))
    #expect(!live.errors.contains("anna: Session "))
  }

  @Test func aRunWithoutAnyStrapExitsWithCode2() throws {
    let air = try Air()
    try air.home.add(profiles: "anna", "ben")
    let live = try air.home.run("live", "--strap", "A=anna", "--strap", "B=ben")
    #expect(live.status == .exited(2))
    #expect(live.errors.contains("stressmon: anna: no strap named \"A\" answered"))
    #expect(live.errors.contains("stressmon: ben: no strap named \"B\" answered"))
    #expect(try air.home.run("history", "--sessions", "--json", "--profile", "anna").output.isEmpty)
  }

  @Test func theMostRecentlyUsedOfSeveralRememberedStrapsIsMeasured() throws {
    let pair = try Pair()
    for strap in [pair.anna, pair.ben] { try Self.use(strap, pair.air, ["--strap", strap.address]) }
    try Self.use(pair.ben, pair.air)
    try Self.use(pair.anna, pair.air, ["--strap", "H10"])
    try Self.use(pair.anna, pair.air)
    pair.anna.advertise(false)
    try Self.use(pair.ben, pair.air)
  }

  @Test func anAmbiguousNameListsEachStrapOnceWithItsLastUse() throws {
    let pair = try Pair()
    try Self.use(pair.ben, pair.air, ["--strap", "other h9"])
    pair.air.strap("C0:00:00:00:00:03", "Other H9 NEW")
    let live = try pair.air.home.run("live", "--strap", "Other")
    #expect(live.status == .exited(2))
    let lines = live.errors.split(separator: "\n").map(String.init)
    let found = lines.filter { $0.hasPrefix("  Other H9") }
    #expect(found.count == 2)
    #expect(found.first?.contains("C0:00:00:00:00:02  20") == true, "the date of its last use")
    #expect(found.last?.contains("C0:00:00:00:00:03  never") == true)
    #expect(lines.last == "Choose one with: stressmon live --strap C0:00:00:00:00:02")
  }

  /// Measures with `strap` for some beats, then ends the session.
  private static func use(_ strap: StrapControl, _ air: Air, _ arguments: [String] = []) throws {
    let live = try air.home.start(["live", "--json"] + arguments)
    #expect(strap.subscribed())
    strap.stream(beats([900]), rate: 20)
    try live.wait(for: 5, "notification")
    live.signal(SIGINT)
    try live.waitForExit()
    #expect(holds { strap.subscriberCount == 0 })
  }

  @Test func aClosedPipeEndsAllSessions() throws {
    let pair = try Pair()
    pair.anna.stream(beats([900]), rate: 20)
    pair.ben.stream(beats([910]), rate: 20)
    let program = try pair.live()
    for profile in ["anna", "ben"] {
      try program.waitForLine { $0.contains("\"hr_bpm\"") && $0.contains("\"profile\":\"\(profile)\"") }
    }
    program.closeReader(of: .output)
    #expect(try program.waitForExit() == .exited(0))
    #expect(holds { !pair.anna.isConnected && !pair.ben.isConnected })
    let sessions = try ["anna", "ben"].flatMap {
      try pair.air.home.run("history", "--sessions", "--json", "--profile", $0).json()
    }
    #expect(sessions.map { $0["outcome"]?.text } == ["finished", "finished"])
  }

  @Test func oneStrapByTwoNamesIsMeasuredOnce() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats([900]), rate: 10)
    let program = try air.home.start([
      "live", "--json", "--strap", strap.address, "--strap", "polar h10 test",
    ])
    try program.waitForLine(in: .errors) { $0.contains("is measured already, for profile 'me'") }
    let seen = program.outputLines.count
    try program.waitForLines(seen + 5) { _ in true }
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .signalled(SIGINT))
  }

  @Test func aSecondRunReportsTheHolderOfAProfile() throws {
    let pair = try Pair()
    let first = try pair.live()
    #expect(pair.ben.subscribed())
    let second = try pair.air.home.run("live", "--simulate", "--profile", "ben")
    #expect(second.status == .exited(1))
    #expect(second.errors.contains("profile 'ben' is in use: process \(first.processID)"))
    first.signal(SIGTERM)
    #expect(try first.waitForExit() == .signalled(SIGTERM))
  }

  @Test(arguments: [
    (["--strap", "A="], "the profile after it is missing"),
    (["--strap", "=anna"], "the strap before the '='"),
    (["--strap", "A=anna", "--strap", "a=ben"], "'--strap a' is given twice"),
    (["--strap", "A", "--simulate"], "leave out --simulate"),
    (["--strap", "A=anna", "--profile", "ben"], "'--profile ben' has no effect"),
    (["--strap", "A", "--strap", "B", "--record", "x.jsonl"], "'--record x.jsonl' records one strap"),
  ])
  func conflictingOptionsAreRejected(arguments: [String], words: String) throws {
    let home = try Home()
    let live = try home.start(["live"] + arguments).outcome()
    #expect(live.status == .exited(64))
    #expect(live.errors.contains(words))
  }

  @Test func onlyLiveAcceptsSeveralStraps() throws {
    let home = try Home()
    for command in [["measure"], ["record", "x.jsonl"], ["service"]] {
      let run = try home.start(command + ["--strap", "A", "--strap", "B"]).outcome()
      #expect(run.status == .exited(64))
      #expect(run.errors.contains("this command measures one strap, but --strap is given 2 times"))
    }
  }
}
