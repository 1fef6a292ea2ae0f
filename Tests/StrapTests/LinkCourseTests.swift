import DBus
import HeartRate
import Testing

@testable import Strap

/// The sequence from the search to data, and its failures.
@Suite struct LinkCourseTests {
  let strap = LinkHarness.strap
  let other = LinkHarness.other

  @Test func aSessionProceedsFromSearchToData() {
    var link = LinkHarness()
    #expect(
      link.send(.start) == [.report(LinkChange(.searching)), .begin(.attach(startService: true), ticket: 1)])
    #expect(link.send(.snapshot(link.snapshot)) == [])
    #expect(link.complete() == [.begin(.startScan(wide: false), ticket: 2)])
    #expect(link.complete() == [])
    #expect(
      link.see { $0.advertise(strap) } == [
        .report(LinkChange(.connecting, strap: strap)), .begin(.stopScan, ticket: 3),
      ])
    #expect(link.complete() == [.begin(.connect(strap), ticket: 4)])
    #expect(link.see { $0.link(strap) } == [])
    #expect(link.complete() == [])
    #expect(
      link.see { $0.resolve(strap, measurement: LinkHarness.path) } == [.begin(.subscribe(strap), ticket: 5)])
    #expect(link.complete() == [.report(LinkChange(.connected, strap: strap))])
    #expect(link.send(.notification, after: .seconds(1)) == [])
    #expect(link.machine.linkToUndo == strap)
  }

  @Test func servicesMayResolveBeforeConnectIsAnswered() {
    var link = LinkHarness()
    _ = link.connecting()
    #expect(link.see { $0.link(strap) }.operations == [])
    #expect(link.see { $0.resolve(strap, measurement: LinkHarness.path) }.operations == [])
    #expect(link.complete().operations == [.subscribe(strap)])
  }

  @Test func anExistingLinkIsUsedAndNotEnded() {
    var link = LinkHarness()
    link.snapshot.link(strap)
    link.snapshot.resolve(strap, measurement: LinkHarness.path)
    #expect(link.attach().operations == [.subscribe(strap)])
    #expect(link.complete().reports == [.connected])
    #expect(link.machine.linkToUndo == nil)
  }

  @Test func dataBeforeTheReplyOfStartNotifyProveTheSubscription() {
    var link = LinkHarness()
    _ = link.subscribing()
    #expect(link.send(.notification).reports == [.connected])
    #expect(link.complete() == [])
    #expect(link.machine.state.isStreaming)
  }

  @Test func aMissingAnswerIsReportedAsPossiblyRequiringPairing() {
    var link = LinkHarness()
    _ = link.subscribing()
    let message = "no answer for 10 s; it may require pairing: stressmon pair"
    #expect(link.wait() == [.report(LinkChange(.connecting, strap: strap, reason: message))])
    #expect(link.now == .seconds(10))
    #expect(link.machine.nextDeadline == nil)
    // The answer arrives after the user has paired the strap.
    #expect(link.complete() == [.report(LinkChange(.connected, strap: strap))])
  }

  @Test func aRenewedSubscriptionDoesNotSuggestPairing() {
    var link = LinkHarness()
    _ = link.stream()
    while !link.wait().operations.contains(.subscribe(strap)) {}
    #expect(link.machine.state.isSubscribing && link.machine.nextDeadline == nil)
  }

  @Test func connectFollowsTheEndOfTheScan() {
    var link = LinkHarness()
    _ = link.attach()
    // The strap advertises while StartDiscovery is under way, whose reply is awaited first.
    #expect(link.see { $0.advertise(strap) } == [])
    #expect(link.complete().operations == [.stopScan])
    #expect(link.complete(.bluez("Failed", "No discovery started")).operations == [.connect(strap)])
  }

  @Test func severalMatchingStrapsAreAmbiguous() {
    var link = LinkHarness(.any)
    _ = link.attach()
    _ = link.complete()
    #expect(link.see { $0.advertise(strap) } == [])
    #expect(link.see { $0.advertise(other) } == [])
    let actions = link.wait()
    #expect(link.now == .seconds(5))
    #expect(actions.error == .ambiguous(.any, link.snapshot.found))
    #expect(actions.error?.description.hasSuffix("stressmon live --strap C0:00:00:00:00:01") == true)
  }

  @Test func theOnlyAnsweringStrapIsSelected() {
    var link = LinkHarness(.any)
    link.snapshot.change(other) { _ in }  // known from before, silent now
    _ = link.attach()
    _ = link.complete()
    #expect(link.see { $0.advertise(strap) } == [])
    #expect(link.wait().operations == [.stopScan])
    #expect(link.complete().operations == [.connect(strap)])
  }

  @Test(arguments: [
    StrapSelection.name("polar h10 test"),
    .remembered([.init(address: "C0:00:00:00:00:09"), LinkHarness.strap]),
  ])
  func aStrapIsSelectedByNameOrFromTheRememberedOnes(_ selection: StrapSelection) {
    var link = LinkHarness(selection)
    link.snapshot.advertise(strap)
    link.snapshot.advertise(other)
    _ = link.attach()
    _ = link.complete()
    #expect(link.wait().operations == [.stopScan])
    #expect(link.machine.target == strap)
  }

  @Test func theMostRecentlyUsedStrapIsSelectedImmediately() {
    var link = LinkHarness(.remembered([other, strap]))
    link.snapshot.advertise(strap)
    link.snapshot.advertise(other)
    _ = link.attach()
    #expect(link.complete().operations == [.stopScan])
    #expect(link.machine.target == other && link.now == .zero)
  }

  @Test func anotherRememberedStrapIsSelectedIfTheMostRecentIsAbsent() {
    var link = LinkHarness(.remembered([.init(address: "C0:00:00:00:00:09"), strap, other]))
    link.snapshot.advertise(other)
    link.snapshot.advertise(strap)
    _ = link.attach()
    #expect(link.complete() == [])
    #expect(link.wait().operations == [.stopScan])
    #expect(link.machine.target == strap && link.now == .seconds(5))
  }

  @Test func aConnectedStrapThatWasUsedLastIsUsed() {
    var link = LinkHarness(.remembered([strap, other]))
    link.snapshot.link(strap)
    link.snapshot.resolve(strap, measurement: LinkHarness.path)
    #expect(link.attach().operations == [.subscribe(strap)])
  }

  @Test(arguments: [
    ("H10", "Polar H10 12345678", true), ("polar h10", "Polar H10 12345678", true),
    ("Pol", "Polar H10 12345678", true), ("h10 12345678", "Polar H10 12345678", true),
    ("H1", "Polar H10 12345678", false), ("olar", "Polar H10 12345678", false),
    ("12345678", "Polar H10 12345678", true), ("Polar H9", "Polar H10 12345678", false),
  ])
  func aNameMatchesAPrefixOrWholeWords(text: String, name: String, isMatch: Bool) {
    let strap = StrapIdentity(address: LinkHarness.strap.address, name: name)
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

  @Test func theOnlyRememberedStrapIsSelectedImmediately() {
    var link = LinkHarness(.remembered([strap]))
    #expect(link.find().operations == [.stopScan])
  }

  @Test func theScanIsWidenedBeforeTheSearchEnds() {
    var link = LinkHarness()
    _ = link.attach()
    _ = link.complete()
    _ = link.see { $0.advertise(other) }
    #expect(link.wait() == [])  // 5 s: nothing that fits
    #expect(link.wait().operations == [.startScan(wide: true)])
    #expect(link.now == .seconds(8))
    #expect(link.complete() == [])
    let error = link.wait().error
    #expect(link.now == .seconds(30))
    #expect(error == .notFound(.address(strap.address), seen: [link.snapshot.sightings[0].found]))
    #expect(link.machine.nextDeadline == nil)
  }

  @Test func aSearchWithoutLimitNeverEnds() {
    var link = LinkHarness(search: nil)
    _ = link.attach()
    _ = link.complete()
    for _ in 0..<1000 { #expect(link.step().error == nil) }
    #expect(link.now > .seconds(3600))
    _ = link.see { $0.advertise(strap) }
    for _ in 0..<10 where link.machine.target == nil { _ = link.step() }
    #expect(link.machine.target == strap)
  }

  @Test(arguments: [
    (
      BluetoothSnapshot.AdapterState.absent(present: ["hci1"]),
      StrapError.noAdapter(wanted: nil, present: ["hci1"])
    ),
    (.off(name: "hci0"), .adapterOff("hci0")),
    (.blocked(name: "hci0", hard: true), .adapterBlocked("hci0", hard: true)),
  ])
  func theAdapterHasAGracePeriod(_ state: BluetoothSnapshot.AdapterState, _ error: StrapError) {
    var link = LinkHarness()
    link.snapshot.adapter = state
    #expect(link.attach() == [])
    #expect(link.wait().error == error)
    #expect(link.now == .seconds(3))

    var later = LinkHarness()
    later.snapshot.adapter = state
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
  func failuresToReachBlueZAreDistinguished(_ name: String, _ expected: StrapError) {
    var link = LinkHarness()
    _ = link.send(.start)
    let message = { (error: StrapError) in error.problem.replacing("x: y", with: "\(name): y") }
    #expect(link.complete(BusError(name: name, message: "y")).error?.problem == message(expected))
  }
}
