import HeartRate
import Testing

@testable import Strap

/// From the first search to data, and what ends it before.
@Suite struct LinkCourseTests {
  let strap = LinkScript.strap
  let other = LinkScript.other

  @Test func goesFromSearchToData() {
    var link = LinkScript()
    #expect(
      link.send(.start) == [.report(LinkChange(.searching)), .begin(.attach(startService: true), ticket: 1)])
    #expect(link.send(.world(link.world)) == [])
    #expect(link.complete() == [.begin(.startScan(wide: false), ticket: 2)])
    #expect(link.complete() == [])
    #expect(
      link.see { $0.hear(strap) } == [
        .report(LinkChange(.connecting, strap: strap)), .begin(.stopScan, ticket: 3),
      ])
    #expect(link.complete() == [.begin(.connect(strap), ticket: 4)])
    #expect(link.see { $0.link(strap) } == [])
    #expect(link.complete() == [])
    #expect(
      link.see { $0.resolve(strap, measurement: LinkScript.path) } == [.begin(.subscribe(strap), ticket: 5)])
    #expect(link.complete() == [.report(LinkChange(.connected, strap: strap))])
    #expect(link.send(.notification, after: .seconds(1)) == [])
    #expect(link.machine.linkToUndo == strap)
  }

  @Test func servicesMayResolveBeforeConnectAnswers() {
    var link = LinkScript()
    _ = link.connecting()
    #expect(link.see { $0.link(strap) }.operations == [])
    #expect(link.see { $0.resolve(strap, measurement: LinkScript.path) }.operations == [])
    #expect(link.complete().operations == [.subscribe(strap)])
  }

  @Test func aLinkThatIsThereIsAdoptedAndLeft() {
    var link = LinkScript()
    link.world.link(strap)
    link.world.resolve(strap, measurement: LinkScript.path)
    #expect(link.attach().operations == [.subscribe(strap)])
    #expect(link.complete().reports == [.connected])
    #expect(link.machine.linkToUndo == nil)
  }

  @Test func dataBeforeTheReplyOfStartNotifyCount() {
    var link = LinkScript()
    _ = link.subscribing()
    #expect(link.send(.notification).reports == [.connected])
    #expect(link.complete() == [])
    #expect(link.machine.state == .streaming)
  }

  @Test func aStrapThatDoesNotAnswerMayWantToBePaired() {
    var link = LinkScript()
    _ = link.subscribing()
    let words = "no answer for 10 s; it may want to be paired: stressmon pair"
    #expect(link.wait() == [.report(LinkChange(.connecting, strap: strap, reason: words))])
    #expect(link.now == .seconds(10))
    #expect(link.machine.nextDeadline == nil)
    // It answers after all: a person paired it meanwhile.
    #expect(link.complete() == [.report(LinkChange(.connected, strap: strap))])
  }

  @Test func aSubscriptionMadeAnewWantsNoPairing() {
    var link = LinkScript()
    _ = link.stream()
    while !link.wait().operations.contains(.subscribe(strap)) {}
    #expect(link.machine.state == .subscribing && link.machine.nextDeadline == nil)
  }

  @Test func doesNotConnectBeforeTheScanHasStopped() {
    var link = LinkScript()
    _ = link.attach()
    // Heard while StartDiscovery is still under way: its reply comes first.
    #expect(link.see { $0.hear(strap) } == [])
    #expect(link.complete().operations == [.stopScan])
    #expect(link.complete(.bluez("Failed", "No discovery started")).operations == [.connect(strap)])
  }

  @Test func takesNobodysStrapByChance() {
    var link = LinkScript(.any)
    _ = link.attach()
    _ = link.complete()
    #expect(link.see { $0.hear(strap) } == [])
    #expect(link.see { $0.hear(other) } == [])
    let actions = link.wait()
    #expect(link.now == .seconds(5))
    #expect(actions.error == .ambiguous(.any, link.world.found))
    #expect(actions.error?.description.hasSuffix("stressmon live --strap C0:00:00:00:00:01") == true)
  }

  @Test func takesTheOnlyOneThatAnswers() {
    var link = LinkScript(.any)
    link.world.change(other) { _ in }  // known from before, silent now
    _ = link.attach()
    _ = link.complete()
    #expect(link.see { $0.hear(strap) } == [])
    #expect(link.wait().operations == [.stopScan])
    #expect(link.complete().operations == [.connect(strap)])
  }

  @Test(arguments: [
    StrapSelection.name("polar h10 test"),
    .remembered([.init(address: "C0:00:00:00:00:09"), LinkScript.strap]),
  ])
  func choosesByNameOrMemory(_ selection: StrapSelection) {
    var link = LinkScript(selection)
    link.world.hear(strap)
    link.world.hear(other)
    _ = link.attach()
    _ = link.complete()
    #expect(link.wait().operations == [.stopScan])
    #expect(link.machine.target == strap)
  }

  @Test func theMostRecentlyUsedStrapIsChosenAtOnceAlthoughOthersAnswer() {
    var link = LinkScript(.remembered([other, strap]))
    link.world.hear(strap)
    link.world.hear(other)
    _ = link.attach()
    #expect(link.complete().operations == [.stopScan])
    #expect(link.machine.target == other && link.now == .zero)
  }

  @Test func anotherRememberedStrapIsChosenWhereTheMostRecentDoesNotAnswer() {
    var link = LinkScript(.remembered([.init(address: "C0:00:00:00:00:09"), strap, other]))
    link.world.hear(other)
    link.world.hear(strap)
    _ = link.attach()
    #expect(link.complete() == [])
    #expect(link.wait().operations == [.stopScan])
    #expect(link.machine.target == strap && link.now == .seconds(5))
  }

  @Test func aConnectedStrapThatWasUsedMostRecentlyIsAdopted() {
    var link = LinkScript(.remembered([strap, other]))
    link.world.link(strap)
    link.world.resolve(strap, measurement: LinkScript.path)
    #expect(link.attach().operations == [.subscribe(strap)])
  }

  @Test(arguments: [
    ("H10", "Polar H10 12345678", true), ("polar h10", "Polar H10 12345678", true),
    ("Pol", "Polar H10 12345678", true), ("h10 12345678", "Polar H10 12345678", true),
    ("H1", "Polar H10 12345678", false), ("olar", "Polar H10 12345678", false),
    ("12345678", "Polar H10 12345678", true), ("Polar H9", "Polar H10 12345678", false),
  ])
  func aNameMatchesAPrefixOrWholeWords(text: String, name: String, isMatch: Bool) {
    let strap = StrapIdentity(address: LinkScript.strap.address, name: name)
    #expect(StrapSelection(text).means(strap) == isMatch)
  }

  @Test func anExactNameTakesPrecedenceAndSeveralPartialMatchesAreAmbiguous() {
    let names = ["Polar H10", "Polar H10 1", "Polar H9"].enumerated().map { place, name in
      FoundStrap(strap: StrapIdentity(address: "C0:00:00:00:00:0\(place)", name: name))
    }
    #expect(StrapChoice(.name("polar h10"), among: names) == .one(names[0]))
    #expect(StrapChoice(.name("H9"), among: names + names) == .one(names[2]))
    #expect(StrapChoice(.name("Polar"), among: names + names) == .several(names))
    #expect(StrapChoice(.name("H7"), among: names) == .none)
  }

  @Test func theOneRememberedStrapIsTakenAtOnce() {
    var link = LinkScript(.remembered([strap]))
    #expect(link.find().operations == [.stopScan])
  }

  @Test func widensTheScanThenGivesUp() {
    var link = LinkScript()
    _ = link.attach()
    _ = link.complete()
    _ = link.see { $0.hear(other) }
    #expect(link.wait() == [])  // 5 s: nothing that fits
    #expect(link.wait().operations == [.startScan(wide: true)])
    #expect(link.now == .seconds(8))
    #expect(link.complete() == [])
    let error = link.wait().error
    #expect(link.now == .seconds(30))
    #expect(error == .notFound(.address(strap.address), seen: [link.world.sightings[0].found]))
    #expect(link.machine.nextDeadline == nil)
  }

  @Test func searchesForEverIfAskedTo() {
    var link = LinkScript(search: nil)
    _ = link.attach()
    _ = link.complete()
    for _ in 0..<1000 { #expect(link.step().error == nil) }
    #expect(link.now > .seconds(3600))
    _ = link.see { $0.hear(strap) }
    for _ in 0..<10 where link.machine.target == nil { _ = link.step() }
    #expect(link.machine.target == strap)
  }

  @Test(arguments: [
    (LinkWorld.AdapterState.absent(present: ["hci1"]), StrapError.noAdapter(wanted: nil, present: ["hci1"])),
    (.off(name: "hci0"), .adapterOff("hci0")),
    (.blocked(name: "hci0", hard: true), .adapterBlocked("hci0", hard: true)),
  ])
  func givesTheAdapterAMoment(_ state: LinkWorld.AdapterState, _ error: StrapError) {
    var link = LinkScript()
    link.world.adapter = state
    #expect(link.attach() == [])
    #expect(link.wait().error == error)
    #expect(link.now == .seconds(3))

    var later = LinkScript()
    later.world.adapter = state
    _ = later.attach()
    #expect(later.see { $0.adapter = .ready }.error == nil)
    #expect(later.wait().operations == [.startScan(wide: false)])
  }

  @Test(arguments: [
    (BusError.serviceUnknown, StrapError.noBluetoothd("x: y")),
    (BusError.nameHasNoOwner, .noBluetoothd("x: y")),
    ("org.freedesktop.DBus.Error.Spawn.ChildExited", .noBluetoothd("x: y")),
    (BusError.noReply, .noBluetoothd("x: y")),
    (BusError.accessDenied, .accessDenied("x: y")),
    (BusError.disconnected, .noBus("x: y")),
  ])
  func saysWhatKeepsItFromBlueZ(_ name: String, _ expected: StrapError) {
    var link = LinkScript()
    _ = link.send(.start)
    let words = { (error: StrapError) in error.problem.replacing("x: y", with: "\(name): y") }
    #expect(link.complete(BusError(name: name, message: "y")).error?.problem == words(expected))
  }
}
