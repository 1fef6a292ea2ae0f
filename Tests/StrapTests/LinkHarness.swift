import DBus
import HeartRate

@testable import Strap

/// Drives a ``LinkStateMachine`` with the events of a simulated bluetoothd. The test sets the time; nothing waits.
struct LinkHarness {
  typealias Action = LinkStateMachine.Action

  static let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Polar H10 TEST")
  static let other = StrapIdentity(address: "C0:00:00:00:00:02", name: "HRM-Dual:00")
  static let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01/service000a/char000b"

  var machine: LinkStateMachine
  var now = Duration.zero
  var snapshot = BluetoothSnapshot(adapter: .ready)

  init(_ selection: StrapSelection = .address(strap.address), search: Duration? = .seconds(30)) {
    var timing = LinkTiming()
    timing.search = search
    machine = LinkStateMachine(selection: selection, timing: timing, seed: 1)
  }

  /// The operation that was begun last and has not been completed.
  private(set) var underWay: LinkStateMachine.Operation?
  /// The ticket of the operation that was begun last.
  private(set) var ticket = 0

  mutating func send(_ event: LinkStateMachine.Event) -> [Action] {
    if case .completed = event { underWay = nil }
    let actions = machine.handle(event, at: now)
    for case .begin(let operation, let ticket) in actions { (underWay, self.ticket) = (operation, ticket) }
    return actions
  }

  mutating func send(_ event: LinkStateMachine.Event, after delay: Duration) -> [Action] {
    now += delay
    return send(event)
  }

  /// The operation under way succeeds, or fails with BlueZ's error.
  mutating func complete(_ error: BusError? = nil) -> [Action] {
    send(.completed(ticket: ticket, error.map(LinkFailure.init)))
  }

  /// Changes the snapshot.
  mutating func see(_ change: (inout BluetoothSnapshot) -> Void) -> [Action] {
    change(&snapshot)
    return send(.snapshot(snapshot))
  }

  /// Advances the time to the machine's next deadline.
  mutating func wait() -> [Action] {
    guard let deadline = machine.nextDeadline else { return [] }
    now = max(now, deadline)
    return send(.tick)
  }

  /// Completes the operation under way, or advances the time to the next deadline.
  mutating func step(_ answer: (LinkStateMachine.Operation) -> BusError? = { _ in nil }) -> [Action] {
    guard let underWay else { return wait() }
    if case .connect = underWay { now += .seconds(40) }
    return complete(answer(underWay))
  }

  // MARK: The usual sequence of events

  /// Opens the bus and reads BlueZ's objects.
  mutating func attach() -> [Action] {
    _ = send(.start)
    _ = send(.snapshot(snapshot))
    return complete()
  }

  mutating func find() -> [Action] {
    _ = attach()
    _ = complete()  // the scan runs
    return see { $0.advertise(Self.strap) }
  }

  /// The strap was found, the scan has been stopped, Connect is under way.
  mutating func connecting() -> [Action] {
    _ = find()
    return complete()
  }

  mutating func link() -> [Action] {
    _ = connecting()
    _ = see { $0.link(Self.strap) }
    return complete()
  }

  mutating func subscribing() -> [Action] {
    _ = link()
    return see { $0.resolve(Self.strap, measurement: Self.path) }
  }

  mutating func stream() -> [Action] {
    _ = subscribing()
    return complete()
  }
}

extension BluetoothSnapshot {
  mutating func change(_ strap: StrapIdentity, _ change: (inout Sighting) -> Void) {
    if !sightings.contains(where: { $0.found.strap == strap }) {
      sightings.append(Sighting(found: FoundStrap(strap: strap, isAnswering: false)))
    }
    for index in sightings.indices where sightings[index].found.strap == strap { change(&sightings[index]) }
  }

  mutating func advertise(_ strap: StrapIdentity) { change(strap) { $0.found.isAnswering = true } }

  mutating func link(_ strap: StrapIdentity) {
    change(strap) {
      $0.found.isConnected = true
      $0.found.isAnswering = true
    }
  }

  mutating func resolve(_ strap: StrapIdentity, measurement: String?) {
    change(strap) {
      $0.servicesResolved = true
      $0.measurement = measurement
    }
  }

  /// The link ends; the objects of its services remain, as with BlueZ.
  mutating func unlink(_ strap: StrapIdentity) {
    change(strap) {
      $0.found.isConnected = false
      $0.found.isAnswering = false
      $0.servicesResolved = false
    }
  }

  mutating func forget(_ strap: StrapIdentity) { sightings.removeAll { $0.found.strap == strap } }
}

extension LinkState {
  var isBackingOff: Bool { if case .backingOff = self { true } else { false } }
  var isAwaitingLink: Bool { if case .awaitingLink = self { true } else { false } }
  var isSubscribing: Bool { if case .subscribing = self { true } else { false } }
  var isEnded: Bool { if case .ended = self { true } else { false } }
}

extension [LinkStateMachine.Action] {
  var operations: [LinkStateMachine.Operation] {
    compactMap { if case .begin(let operation, _) = $0 { operation } else { nil } }
  }

  var reports: [LinkChange.State] {
    compactMap { if case .report(let change) = $0 { change.state } else { nil } }
  }

  var reasons: [String?] {
    compactMap { action -> String?? in
      if case .report(let change) = action { .some(change.reason) } else { nil }
    }
  }

  var error: StrapError? {
    for case .fail(let error) in self { return error }
    return nil
  }
}

extension BusError {
  static func bluez(_ name: String, _ message: String = "") -> BusError {
    BusError(name: "org.bluez.Error.\(name)", message: message)
  }
}
