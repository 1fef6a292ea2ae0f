import FakeBlueZ
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct LiveTests {
  @Test func eachNotificationIsShownStoredAndRecordedOnceAndInOrder() throws {
    let air = try Air()
    let strap = air.strap()
    let rr = madeUpRR(200)
    let program = try air.live(strap, ["--record", air.home.file("session.jsonl")])
    strap.stream(beats(rr), rate: 200, count: rr.count)
    try program.wait(for: rr.count, "measurement")
    strap.setBattery(42)
    try program.waitForLine { $0.contains("\"battery_percent\":42") }
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(live.status == .signalled(SIGINT))
    #expect(live.diagnostics.isEmpty)

    let lines = try live.json()
    #expect(lines.rr == rr.milliseconds)
    #expect(lines.of(type: "measurement").count == rr.count)
    #expect(lines.linkStates == ["searching", "connecting", "connected"])
    #expect(lines.of(type: "link").compactMap { $0["battery_percent"]?.number } == [90, 42])
    #expect(lines.last?["type"]?.text == "end")
    #expect(lines.allSatisfy { $0["profile"]?.text == "me" && $0["session"] == lines[0]["session"] })
    #expect(lines.of(type: "link").last { $0["state"] != nil }?["strap"]?.text == strap.address)

    let session = try #require(lines[0]["session"]?.text)
    let stored = try air.home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.output == live.output)
    #expect(stored.status == .exited(0))
    let recorded = try air.home.run("replay", air.home.file("session.jsonl"), "--speed", "max", "--json")
    #expect(recorded.output == live.output)
    let raw = try JSONLinesFile(air.home.file("session.jsonl")).lines.compactMap { $0["hex"]?.text }
    #expect(raw == air.payloads.map(\.hex))
  }

  @Test(arguments: [["live"], ["live", "--json"], ["record", "nothing.jsonl"]])
  func aRunWithoutDataFailsAfterItsDuration(command: [String]) throws {
    let air = try Air()
    let search = try air.home.shell("$stressmon \(command.joined(separator: " ")) --duration 2")
    #expect(search.status == .exited(2))
    #expect(
      search.errors.contains(
        "no heart-rate data were received within 2s: no strap was found"))
    #expect(search.errors.contains("stressmon doctor"))

    // The strap is connected, but sends no data.
    let strap = air.strap()
    var duration = 4
    let silent = try givenTime {
      duration = 4 + $0
      return try air.home.shell(
        "rm -f nothing.jsonl; $stressmon \(command.joined(separator: " ")) --strap \(strap.address) --duration \(duration)"
      )
    } until: {
      !$0.errors.contains("was not established")
    }
    #expect(silent.status == .exited(2))
    #expect(silent.errors.contains("no heart-rate data were received within \(duration)s"))
    #expect(silent.errors.contains("Polar H10 TEST (C0:00:00:00:00:01) sent none"))
  }

  @Test func aRunEndsAfterItsDuration() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats(madeUpRR(10_000)), rate: 20)
    let live = try givenTime {
      try air.home.run("live", "--json", "--strap", strap.address, "--duration", "\(4 + $0)")
    } until: {
      $0.output.contains("\"notification\"")
    }
    #expect(live.status == .exited(0))
    let lines = try live.json()
    // Notifications sent before the session, or in transit at its end, are not part of it.
    #expect(!lines.rr.isEmpty)
    #expect(madeUpRR(10_000).milliseconds.contains(lines.rr))
    #expect(lines.last?["type"]?.text == "end")
    #expect(holds { !strap.isConnected })
    let session = try #require(lines[0]["session"]?.text)
    let stored = try air.home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.output == live.output)
  }

  @Test func theDefaultStrapIsTheOneUsedLast() throws {
    let air = try Air()
    let strap = air.strap()
    let first = try air.live(strap)
    strap.stream(beats([900]), rate: 20, count: 5)
    try first.wait(for: 5, "notification")
    first.signal(SIGINT)
    try first.waitForExit()

    // A strap of another person comes into range.
    air.strap(Air.other, "Other H9")
    let second = try air.home.start(["live", "--json"])
    #expect(strap.subscribed())
    second.signal(SIGINT)
    let lines = try second.outcome().json()
    #expect(lines.of(type: "link").compactMap { $0["strap"]?.text }.allSatisfy { $0 == strap.address })
  }

  @Test func severalStrapsWithoutASelectionAreAnError() throws {
    let air = try Air()
    air.strap()
    air.strap(Air.other, "Other H9")
    let live = try air.home.run("live")
    #expect(live.status == .exited(2))
    #expect(live.errors.contains("more than one heart-rate strap answered:"))
    for row in ["Polar H10 TEST  C0:00:00:00:00:01  never", "Other H9        C0:00:00:00:00:02  never"] {
      #expect(live.errors.contains(row))
    }
    #expect(live.errors.contains("stressmon live --strap C0:00:00:00:00:01"))
    #expect(try air.home.run("history", "--json").output.isEmpty)
  }

  @Test func aNamedStrapIsFoundByItsName() throws {
    let air = try Air()
    let strap = air.strap()
    air.strap(Air.other, "Other H9")
    let program = try air.home.start(["live", "--json", "--strap", "polar h10 test"])
    #expect(strap.subscribed())
    program.signal(SIGTERM)
    #expect(try program.waitForExit() == .signalled(SIGTERM))
  }

  @Test func aSecondRunForTheSameProfileOrStrapReportsTheHolder() throws {
    let air = try Air()
    let strap = air.strap()
    let first = try air.live(strap)
    strap.stream(beats([900]), rate: 10)
    try first.wait(for: 1, "notification")

    let sameProfile = try air.home.run("live", "--json", "--strap", strap.address)
    #expect(sameProfile.status == .exited(1))
    #expect(sameProfile.errors.contains("profile 'me' is in use: process \(first.processID) measures"))
    #expect(sameProfile.errors.contains("kill -INT \(first.processID)"))
    try air.home.add(profiles: "anna")
    let sameStrap = try air.home.run("live", "--json", "--strap", strap.address, "--profile", "anna")
    #expect(sameStrap.status == .exited(1))
    #expect(
      sameStrap.errors.contains(
        "strap Polar H10 TEST (\(strap.address)) is in use: process \(first.processID)"))

    // The first session continues.
    let seen = first.outputLines.count
    try first.waitForLines(seen + 20) { _ in true }
    first.signal(SIGINT)
    try first.waitForExit()
  }
}
