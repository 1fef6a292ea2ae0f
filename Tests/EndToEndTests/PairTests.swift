import FakeBlueZ
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct PairTests {
  @Test func aStrapWithoutPasskeyIsPairedAndRemembered() throws {
    let air = try Air()
    let strap = air.strap()
    let pair = try air.home.run("pair")
    #expect(pair.status == .exited(0))
    #expect(pair.lines == ["Paired with Polar H10 TEST (C0:00:00:00:00:01)."])
    #expect(pair.errors.contains("Measure with: stressmon live"))

    // The paired strap is the default, although another one responds.
    air.strap(Air.other, "Other H9")
    let live = try air.home.start(["live", "--json"])
    #expect(strap.subscribed())
    live.signal(SIGINT)
    try live.waitForExit()
  }

  @Test func pairingAPairedStrapChangesNothing() throws {
    let air = try Air()
    air.strap { $0.isPaired = true }
    let pair = try air.home.run("pair", Air.address)
    #expect(pair.status == .exited(0))
    #expect(pair.lines == ["Polar H10 TEST (C0:00:00:00:00:01) was paired already."])
    #expect(!air.fake.calls.contains { $0.member == "Pair" })
  }

  @Test func pairAndUnpairPrintJSON() throws {
    let air = try Air()
    air.strap()
    for (command, wasPaired) in [("pair", false), ("pair", true), ("unpair", true)] {
      let outcome = try air.home.run(command, Air.address, "--json")
      #expect(outcome.status == .exited(0) && outcome.lines.count == 1, "\(command): \(outcome.errors)")
      let result = try #require(try outcome.json().first)
      #expect(result["strap"]?.text == Air.address && result["strap_name"]?.text == "Polar H10 TEST")
      #expect(result["was_paired"]?.bool == wasPaired, "\(command)")
      #expect(try Schema("pairing").differences(from: result) == [])
    }
  }

  @Test func pairingWithoutAStrapInRangeFails() throws {
    let air = try Air()
    let pair = try air.home.run("pair")
    #expect(pair.status == .exited(2))
    #expect(pair.errors.contains("no heart-rate strap answered. Wear the strap with moist electrodes"))
    #expect(pair.errors.contains("stressmon scan"))
  }

  @Test func pairingWithSeveralStrapsInRangeRequiresASelection() throws {
    let air = try Air()
    air.strap()
    air.strap(Air.other, "Other H9")
    let pair = try air.home.run("pair")
    #expect(pair.status == .exited(2))
    #expect(pair.errors.contains("more than one heart-rate strap answered"))
    #expect(pair.errors.contains("stressmon pair C0:00:00:00:00:01"))
    #expect(!air.fake.calls.contains { $0.member == "Pair" })
  }

  @Test func theTerminalPromptsForAPasskey() throws {
    let air = try Air()
    air.strap { $0.pairing = .passkeyEntry(123_456) }
    // script(1) runs the program on a terminal and forwards its own stdin.
    let pair = try air.home.start(
      "/usr/bin/script", ["-qefc", "\(Program.stressmon) pair \(Air.address)", "/dev/null"])
    try pair.waitForLine { $0.contains("Looking for strap C0:00:00:00:00:01") }
    try pair.type("123456\n")
    let outcome = try pair.outcome(input: nil)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("The number that the strap shows"))
    #expect(outcome.output.contains("Paired with Polar H10 TEST"))
  }

  @Test func aWrongPasskeyOrControlCAtThePromptPairsNothing() throws {
    let air = try Air()
    air.strap { $0.pairing = .passkeyEntry(123_456) }
    for (typed, code) in [("654321\n", CInt(2)), ("\n", 2), ("\u{3}", 130)] {
      let pair = try air.home.start(
        "/usr/bin/script", ["-qefc", "\(Program.stressmon) pair \(Air.address)", "/dev/null"])
      // The prompt ends without a line feed.
      #expect(pair.shows("printed on it: "))
      try pair.type(typed)
      let outcome = try pair.outcome()
      #expect(outcome.status == .exited(code), "\(outcome.output)")
      #expect(!outcome.output.contains("Paired with"))
    }
  }

  @Test func pairingWithAPasskeyRequiresATerminal() throws {
    let air = try Air()
    air.strap { $0.pairing = .passkeyEntry(123_456) }
    let pair = try air.home.run("pair", Air.address)
    #expect(pair.status == .exited(2))
    #expect(pair.errors.contains("cannot pair with Polar H10 TEST (C0:00:00:00:00:01)"))
    #expect(pair.errors.contains("in a terminal"))
    // A strap that was not paired is not remembered.
    let unpair = try air.home.run("unpair", Air.address)
    #expect(unpair.status == .exited(2))
  }

  @Test func unpairingRemovesTheBondAndTheRememberedStrap() throws {
    let air = try Air()
    air.strap()
    #expect(try air.home.run("pair", Air.address).status == .exited(0))
    let unpair = try air.home.run("unpair", "polar h10 test")
    #expect(unpair.status == .exited(0))
    #expect(unpair.lines == ["Removed the pairing with Polar H10 TEST (C0:00:00:00:00:01)."])
    #expect(air.fake.calls.contains { $0.member == "RemoveDevice" })

    let again = try air.home.run("unpair", Air.address)
    #expect(again.status == .exited(2))
    #expect(again.errors.contains("stressmon scan"))
    air.strap(Air.other, "Other H9")
    #expect(try air.home.run("live").errors.contains("more than one heart-rate strap answered"))
  }

  @Test func aRememberedStrapThatIsNotPairedIsForgotten() throws {
    let air = try Air()
    let strap = air.strap()
    let live = try air.live(strap)
    strap.stream(beats([900]), rate: 20)
    try live.wait(for: 5, "notification")
    live.signal(SIGINT)
    try live.waitForExit()
    let unpair = try air.home.run("unpair", Air.address)
    #expect(unpair.status == .exited(0))
    #expect(unpair.lines == ["Polar H10 TEST (C0:00:00:00:00:01) was not paired; it is forgotten."])
  }
}
