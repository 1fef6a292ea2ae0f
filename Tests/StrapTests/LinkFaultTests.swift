import DBus
import HeartRate
import Testing

@testable import Strap

/// Faults of BlueZ and of straps that were observed in the field.
@Suite struct LinkFaultTests {
  let strap = LinkHarness.strap

  /// Name and message of an error, and its classification.
  @Test(arguments: [
    ("org.bluez.Error.InProgress", "In Progress", LinkFailure.Kind.busy),
    ("org.bluez.Error.InProgress", "Operation already in progress", .busy),
    ("org.bluez.Error.Failed", "Operation already in progress", .busy),
    ("org.bluez.Error.Failed", "le-connection-abort-by-local", .transient),
    ("org.bluez.Error.Failed", "Software caused connection abort", .transient),
    ("org.bluez.Error.Failed", "br-connection-canceled", .transient),
    ("org.bluez.Error.Failed", "Input/output error", .transient),
    ("org.bluez.Error.Failed", "br-connection-key-missing", .needsPairing),
    ("org.bluez.Error.Failed", "Not connected", .notConnected),
    ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .needsPairing),
    ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x01", .transient),
    ("org.bluez.Error.NotReady", "Resource Not Ready", .notReady),
    ("org.bluez.Error.NotConnected", "Not Connected", .notConnected),
    ("org.bluez.Error.NotPermitted", "Notify acquired", .notifyAcquired),
    ("org.bluez.Error.NotPermitted", "Not paired", .needsPairing),
    ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", .needsPairing),
    ("org.freedesktop.DBus.Error.UnknownObject", "Method doesn't exist", .vanished),
    ("org.freedesktop.DBus.Error.UnknownMethod", "Method doesn't exist", .vanished),
    ("org.freedesktop.DBus.Error.NoReply", "", .unanswered),
    ("org.freedesktop.DBus.Error.ServiceUnknown", "", .noService),
    ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .denied),
    ("com.example.Whatever", "", .transient),
  ])
  func errorsAreClassifiedByNameAndMessage(_ name: String, _ message: String, _ kind: LinkFailure.Kind) {
    #expect(LinkFailure(BusError(name: name, message: message)).kind == kind)
  }

  /// After a failed Connect, a scan verifies that the strap is reachable before the retry.
  @Test(arguments: [
    BusError.bluez("InProgress", "In Progress"), .bluez("Failed", "Operation already in progress"),
    .bluez("Failed", "le-connection-abort-by-local"), .bluez("Failed", "br-connection-canceled"),
    BusError(name: BusError.unknownObject, message: "doesn't exist"),
  ])
  func aFailedConnectIsRetriedAfterAScan(_ error: BusError) {
    var link = LinkHarness()
    _ = link.connecting()
    #expect(link.complete(error).operations == [])
    #expect(link.machine.state.isBackingOff)
    #expect(link.wait().operations == [.startScan(wide: false)])
    #expect(link.now > .milliseconds(500))
    #expect(link.complete().operations == [.stopScan])
    #expect(link.complete().operations == [.connect(strap)])
  }

  @Test func aLateLinkIsUsed() {
    var link = LinkHarness()
    _ = link.connecting()
    _ = link.complete(.bluez("Failed", "le-connection-abort-by-local"))
    #expect(link.see { $0.link(strap) } == [])
    #expect(link.see { $0.resolve(strap, measurement: LinkHarness.path) }.operations == [.subscribe(strap)])
    #expect(link.machine.linkToUndo == strap)
  }

  @Test func aFailedConnectDoesNotExcludeALink() {
    var link = LinkHarness()
    _ = link.connecting()
    _ = link.see { $0.link(strap) }
    _ = link.see { $0.resolve(strap, measurement: LinkHarness.path) }
    #expect(link.complete(.bluez("Failed", "br-connection-canceled")).operations == [.subscribe(strap)])
  }

  @Test func aSuccessfulConnectDoesNotProveALink() {
    var link = LinkHarness()
    _ = link.connecting()
    #expect(link.complete() == [])
    #expect(link.machine.state.isAwaitingLink)
    #expect(link.wait().operations == [])
    #expect(link.machine.state.isBackingOff)
  }

  @Test func anUnansweredConnectIsCancelled() {
    var link = LinkHarness()
    _ = link.connecting()
    #expect(link.complete(BusError(name: BusError.noReply, message: "")).operations == [.disconnect(strap)])
    #expect(link.complete().operations == [])
    #expect(link.machine.state.isBackingOff)
  }

  @Test func theSessionFailsWhenTheSearchTimeIsOver() {
    var link = LinkHarness()
    _ = link.connecting()
    link.now = .seconds(41)  // as long as BlueZ tries
    #expect(
      link.complete(.bluez("Failed", "le-connection-abort-by-local")).error
        == .connectFailed(strap, "org.bluez.Error.Failed: le-connection-abort-by-local"))
  }

  /// For every operation that always fails, the session ends with an error.
  @Test(arguments: ["startScan", "connect", "subscribe"])
  func aFirstConnectionThatAlwaysFailsEndsTheSession(_ failing: String) {
    for error in [
      BusError(name: BusError.noReply, message: ""), .bluez("Failed", "x"), .bluez("InProgress", "x"),
    ] {
      if failing == "subscribe", error.name == "org.bluez.Error.InProgress" { continue }  // that is a success
      var link = LinkHarness()
      _ = link.send(.start)
      _ = link.send(.snapshot(link.snapshot))
      var ended = false
      for _ in 0..<200 where !ended {
        var actions: [LinkHarness.Action] = []
        if link.underWay == .startScan(wide: false) { actions += link.see { $0.advertise(strap) } }
        if link.underWay == .connect(strap), failing == "subscribe" {
          actions +=
            link.see { $0.link(strap) } + link.see { $0.resolve(strap, measurement: LinkHarness.path) }
        }
        if link.underWay == .disconnect(strap) { actions += link.see { $0.unlink(strap) } }
        actions += link.step { "\($0)".hasPrefix(failing) ? error : nil }
        ended = ended || actions.error != nil
      }
      #expect(ended, "\(error)")
      #expect(link.now < .seconds(200))
    }
  }

  @Test func subscribingWaitsForTheCharacteristic() {
    var link = LinkHarness()
    _ = link.link()
    // ServicesResolved becomes true even if discovery failed.
    #expect(link.see { $0.resolve(strap, measurement: nil) } == [])
    link.now += .seconds(20)
    #expect(link.see { $0.resolve(strap, measurement: LinkHarness.path) }.operations == [.subscribe(strap)])
  }

  @Test func aCachedCharacteristicIsConfirmedBeforeUse() {
    var link = LinkHarness()
    _ = link.link()
    #expect(link.see { $0.change(strap) { $0.measurement = LinkHarness.path } } == [])
    #expect(link.wait().operations == [.subscribe(strap)])
  }

  @Test func aDeviceWithoutHeartRateIsAnError() {
    var link = LinkHarness()
    _ = link.link()
    _ = link.see { $0.resolve(strap, measurement: nil) }
    #expect(link.wait().error == .noHeartRate(strap))
  }

  @Test func missingServicesAfterTheFirstDataRenewTheLink() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.see { $0.unlink(strap) }
    _ = link.see { $0.change(strap) { $0.measurement = nil } }
    #expect(link.wait().operations == [.connect(strap)])
    _ = link.see { $0.link(strap) }
    _ = link.complete()
    #expect(link.wait().operations == [.disconnect(strap)])
  }

  @Test(arguments: [
    (
      BusError.bluez("NotPermitted", "Notify acquired"),
      StrapError.notifyAcquired(LinkHarness.strap, "org.bluez.Error.NotPermitted: Notify acquired")
    ),
    (
      .bluez("Failed", "Operation failed with ATT error: 0x0e"),
      .pairingNeeded(LinkHarness.strap, "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
    ),
  ])
  func permanentFailuresEndTheSession(_ error: BusError, _ expected: StrapError) {
    var link = LinkHarness()
    _ = link.subscribing()
    #expect(link.complete(error).error == expected)

    // Later in a session the failure may be temporary, so the session retries without ending the link.
    var later = LinkHarness()
    _ = later.stream()
    _ = later.see { $0.unlink(strap) }
    _ = later.wait()
    _ = later.see { $0.link(strap) }
    _ = later.see { $0.resolve(strap, measurement: LinkHarness.path) }
    #expect(later.complete().operations == [.subscribe(strap)])
    let actions = later.complete(error)
    #expect(actions.error == nil)
    #expect(actions.operations == [])
    #expect(later.wait().operations == [.subscribe(strap)])
  }

  @Test func anExistingSubscriptionOfThisClientIsUsed() {
    var link = LinkHarness()
    _ = link.subscribing()
    #expect(link.complete(.bluez("InProgress", "In Progress")).reports == [.connected])
  }

  @Test func anUnansweredStartNotifyRenewsTheLink() {
    var link = LinkHarness()
    _ = link.subscribing()
    let actions = link.complete(BusError(name: BusError.noReply, message: ""))
    #expect(actions == [.dropSubscription, .begin(.disconnect(strap), ticket: link.ticket)])
    #expect(link.complete() == [])
    // Disconnect takes effect 2 s after its reply; a Connect before would find the old link.
    #expect(link.see { $0.unlink(strap) }.operations == [])
    #expect(link.machine.state.isBackingOff)
  }

  @Test func aLostLinkIsReportedOnceAndRestored() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.send(.notification)
    _ = link.send(.disconnectReason("Connection timed out"))
    let actions = link.see { $0.unlink(strap) }
    #expect(
      actions == [
        .dropSubscription, .report(LinkChange(.lost, strap: strap, reason: "Connection timed out")),
      ])
    #expect(link.wait().operations == [.connect(strap)])
    #expect(link.now < .seconds(1))
    _ = link.see { $0.link(strap) }
    _ = link.see { $0.resolve(strap, measurement: LinkHarness.path) }
    #expect(link.complete().operations == [.subscribe(strap)])
    #expect(link.complete().reports == [.connected])
  }

  @Test func retriesContinueForDaysWithFewReports() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.send(.notification)
    _ = link.see { $0.unlink(strap) }
    var reports = 0
    for _ in 0..<10_000 {
      let actions = link.step {
        $0 == .connect(strap) ? .bluez("Failed", "le-connection-abort-by-local") : nil
      }
      reports += actions.reports.count
      #expect(actions.error == nil)
    }
    #expect(link.now > .seconds(86_400))
    #expect(reports <= 3)
  }

  @Test func aRemovedDeviceIsFoundAgain() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.see { $0.forget(strap) }
    #expect(link.wait().operations == [.startScan(wide: false)])
  }

  @Test func silenceIsReportedAsStaleThenRepaired() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.send(.notification)
    let start = link.now
    #expect(link.wait().reports == [.stale])
    #expect(link.now - start == .seconds(5))
    // First a new subscription,
    #expect(link.wait() == [.dropSubscription, .begin(.subscribe(strap), ticket: link.ticket)])
    #expect(link.now - start == .seconds(15))
    #expect(link.complete() == [])  // an answer is no data: still stale
    // then a new link,
    let actions = link.wait()
    #expect(actions.reports == [.lost])
    #expect(actions.operations == [.disconnect(strap)])
    _ = link.complete()
    _ = link.see { $0.unlink(strap) }
    // which begins with a scan.
    #expect(link.wait().operations == [.startScan(wide: false)])
  }

  @Test func newDataEndTheStaleState() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.wait()
    #expect(link.send(.notification, after: .seconds(2)).reports == [.connected])
    #expect(link.wait().reports == [.stale])
  }

  @Test func notificationsPostponeTheDeadline() {
    var link = LinkHarness()
    _ = link.stream()
    for _ in 0..<100 {
      #expect(link.send(.notification, after: .seconds(1)) == [])
      #expect(link.send(.tick) == [])
    }
    #expect(link.machine.nextDeadline == link.now + .seconds(5))
  }

  @Test func aReplacedCharacteristicIsSubscribedToAgain() {
    var link = LinkHarness()
    _ = link.stream()
    #expect(
      link.see { $0.resolve(strap, measurement: LinkHarness.path + "f") }.operations == [.subscribe(strap)])
  }

  @Test func theSessionContinuesAfterARestartOfBluetoothd() {
    var link = LinkHarness()
    _ = link.stream()
    let actions = link.send(.detached(LinkFailure(kind: .noService, message: "gone")))
    #expect(actions.reports == [.lost, .searching])
    #expect(link.send(.serviceAppeared).operations == [.attach(startService: false)])
    link.snapshot.unlink(strap)
    _ = link.send(.snapshot(link.snapshot))
    #expect(link.complete().operations.count == 1)
    #expect(link.machine.target == strap)
  }

  @Test func theSessionContinuesAfterARestartOfTheBus() {
    var link = LinkHarness()
    _ = link.stream()
    _ = link.send(.detached(LinkFailure(kind: .noBus, message: "gone")))
    for _ in 0..<100 {
      #expect(link.wait().operations == [.attach(startService: false)])
      #expect(link.complete(.closed).error == nil)
    }
    _ = link.wait()
    _ = link.send(.snapshot(link.snapshot))
    #expect(link.complete().operations == [.subscribe(strap)])
  }

  @Test func theSessionContinuesWhenTheAdapterReturns() {
    var link = LinkHarness()
    _ = link.stream()
    // `bluetoothctl power off`: the link first, then the power.
    #expect(link.see { $0.unlink(strap) }.reports == [.lost])
    #expect(link.see { $0.adapter = .off(name: "hci0") }.operations == [])
    #expect(link.wait().reasons == ["the Bluetooth adapter hci0 is off"])
    #expect(link.machine.nextDeadline == nil)
    _ = link.see { $0.adapter = .ready }
    #expect(link.wait().operations.count == 1)
  }

  @Test func completionsWithAnOldTicketAreIgnored() {
    var link = LinkHarness()
    _ = link.connecting()
    let old = link.ticket
    _ = link.complete(.bluez("Failed", "x"))
    #expect(link.send(.completed(ticket: old, nil)) == [])
    #expect(link.machine.state.isBackingOff)
  }
}
