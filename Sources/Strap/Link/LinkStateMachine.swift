import HeartRate

/// Finds the strap, connects, subscribes, and reconnects: a value that receives events and returns actions.
///
/// It uses no clock, bus or radio. Each event carries the time since the session began; ``nextDeadline`` is the time of
/// the next `tick`. At most one operation is under way: `begin` carries a ticket, and `completed` is ignored unless its
/// ticket is that of the current state.
///
/// BlueZ's replies are hints; only its objects count: a link is a device with `Connected`, a strap with a heart rate is
/// a device with an object for 0x2A37, and a subscription works if data arrive.
struct LinkStateMachine: Sendable {
  enum Event: Equatable, Sendable {
    case start
    /// BlueZ's objects have changed.
    case snapshot(BluetoothSnapshot)
    case completed(ticket: Int, LinkFailure?)
    /// A notification arrived.
    case notification
    /// org.bluez has an owner again.
    case serviceAppeared
    /// The connection to bluetoothd or the bus ended, and with it the discovery and the subscription.
    case detached(LinkFailure)
    /// The reason that BlueZ gives for the end of the link.
    case disconnectReason(String)
    case tick
  }

  enum Operation: Equatable, Sendable {
    /// Opens the bus, subscribes to BlueZ's signals, then reads its objects.
    case attach(startService: Bool)
    /// Starts a scan for 0x180D or, if wide, for every LE device.
    case startScan(wide: Bool)
    case stopScan
    case connect(StrapIdentity)
    /// Calls `StartNotify` on a bus connection of its own.
    case subscribe(StrapIdentity)
    case disconnect(StrapIdentity)
  }

  enum Action: Equatable, Sendable {
    case begin(Operation, ticket: Int)
    /// Closes the connection that holds the subscription.
    case dropSubscription
    case report(LinkChange)
    /// The session ends with this error.
    case fail(StrapError)
  }

  let selection: StrapSelection
  /// The requested adapter, named in errors.
  let adapter: String?
  let timing: LinkTiming

  private(set) var state = LinkState.idle
  private(set) var snapshot = BluetoothSnapshot()
  /// The selected strap; never changes once it is set.
  private(set) var target: StrapIdentity?
  private(set) var requests: LinkRequests = []
  private(set) var attempts: LinkAttempts
  /// The object of 0x2A37 that is subscribed to.
  private(set) var subscribedPath: String?
  private(set) var disconnectReason: String?
  private var reported: LinkChange?
  private var lastTicket = 0
  private var actions: [Action] = []

  init(
    selection: StrapSelection, adapter: String? = nil, timing: LinkTiming = LinkTiming(), seed: UInt64
  ) {
    self.selection = selection
    self.adapter = adapter
    self.timing = timing
    attempts = LinkAttempts(timing: timing, seed: seed)
  }

  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    if case .ended = state { return [] }
    switch event {
    case .start: start(at: now)
    case .notification: handleArrival(at: now)
    case .snapshot(let snapshot): handle(snapshot, at: now)
    case .completed(let ticket, let failure): handleCompletion(of: ticket, failure, at: now)
    case .serviceAppeared: if case .awaitingService = state { attach(startService: false) }
    case .detached(let failure): detach(failure, at: now)
    case .disconnectReason(let reason): disconnectReason = reason
    case .tick: handleTick(at: now)
    }
    guard !actions.isEmpty else { return [] }
    defer { actions = [] }
    return actions
  }

  private mutating func start(at now: Duration) {
    attempts.start(at: now)
    report(.searching)
    attach(startService: true)
  }

  private mutating func handle(_ snapshot: BluetoothSnapshot, at now: Duration) {
    self.snapshot = snapshot
    evaluateSnapshot(at: now)
  }

  /// Bluetoothd or the bus is gone. It has released the discovery and the subscription.
  private mutating func detach(_ failure: LinkFailure, at now: Duration) {
    snapshot = BluetoothSnapshot()
    discoveryEnded()
    reportLoss(reason: failure.message)
    awaitService(failure, at: now)
  }

  /// When a `tick` is due, unless another event arrives before.
  ///
  /// Mutating, since it is read for each notification: a nonmutating getter copies the state machine.
  var nextDeadline: Duration? {
    mutating get {
      if case .streaming(let lastArrival) = state { return silenceDeadline(after: lastArrival) }
      return state.deadline
    }
  }

  /// The strap whose link has to be ended with the session. A link that existed before is kept.
  var linkToUndo: StrapIdentity? { requests.contains(.link) ? target : nil }

  var isLinked: Bool { snapshot.sighting(of: target)?.found.isConnected ?? false }
}

// MARK: - The only functions that change the stored properties

extension LinkStateMachine {
  mutating func enter(_ state: LinkState) { self.state = state }

  /// Begins an operation.
  ///
  /// - Returns: its ticket, for the state that awaits the completion.
  mutating func begin(_ operation: Operation) -> LinkState.Ticket {
    lastTicket += 1
    switch operation {
    case .startScan: requests.insert(.discovery)
    case .connect, .disconnect: requests.insert(.link)
    case .attach, .stopScan, .subscribe: break
    }
    actions.append(.begin(operation, ticket: lastTicket))
    return lastTicket
  }

  mutating func select(_ strap: StrapIdentity) { target = strap }

  mutating func discoveryEnded() { requests.remove(.discovery) }

  mutating func setSubscribedPath(_ path: String?) { subscribedPath = path }

  mutating func clearDisconnectReason() { disconnectReason = nil }

  mutating func updateAttempts(_ change: (inout LinkAttempts) -> Void) { change(&attempts) }

  // MARK: Reports

  /// Reports a change once; a new reason for the same state is a change.
  mutating func report(_ state: LinkChange.State, reason: String? = nil) {
    let change = LinkChange(state, strap: target, reason: reason)
    guard change != reported else { return }
    reported = change
    actions.append(.report(change))
  }

  var reportedState: LinkChange.State? { reported?.state }

  /// Ends the subscription. Reports the loss of the link if the last report implies that there is one.
  mutating func reportLoss(reason: String?) {
    unsubscribe()
    if reportedState == .connected || reportedState == .stale { report(.lost, reason: reason) }
  }

  mutating func unsubscribe() {
    actions.append(.dropSubscription)
    subscribedPath = nil
  }

  // MARK: The end

  /// Reports the reason before the session ends: `doctor` reads it in the recorded events.
  mutating func end(with failure: LinkFailure) {
    if target != nil { report(.connecting, reason: failure.message) }
    end(StrapError(failure, target: target))
  }

  mutating func end(_ error: StrapError) {
    enter(.ended)
    actions.append(.fail(error))
  }
}

// While data arrive, and when they stop.
extension LinkStateMachine {
  /// Data prove the subscription, even before the reply of StartNotify.
  mutating func handleArrival(at now: Duration) {
    switch state {
    case .streaming, .subscribing: break
    default: return
    }
    let isFirst = !state.isStreaming || reportedState != .connected
    enter(.streaming(lastArrival: now))
    updateAttempts { $0.dataArrived() }
    guard isFirst else { return }
    updateAttempts { $0.streamed() }
    report(.connected)
  }

  /// Handles the end of the link and a replaced object of 0x2A37 while subscribed.
  mutating func evaluateLink(at now: Duration) {
    guard isLinked else { return loseLink(at: now) }
    let path = snapshot.sighting(of: target)?.measurement
    guard path != subscribedPath else { return }
    unsubscribe()
    if path == nil { resolve(at: now) } else { subscribe(at: now) }
  }

  /// The loss of a link that carried data does not count as a failed attempt, so the next one is a direct Connect.
  private mutating func loseLink(at now: Duration) {
    let failure = lossFailure
    clearDisconnectReason()
    let isAttempt = !state.isStreaming
    updateAttempts {
      if isAttempt { $0.countFailure() }
      $0.remember(failure)
    }
    reportLoss(reason: failure.message)
    backOff(after: failure, at: now)
  }

  // MARK: Silence

  /// Each repair without data doubles the limit, up to 8 times.
  private var silenceLimit: Duration { timing.silence * (1 << min(attempts.repairs, 3)) }

  func silenceDeadline(after lastArrival: Duration) -> Duration {
    lastArrival + (reportedState == .stale ? silenceLimit : timing.stale)
  }

  /// Reports stale data, then renews alternately the subscription, which repairs one that BlueZ dropped without a
  /// signal, and the link.
  mutating func evaluateSilence(since lastArrival: Duration, at now: Duration) {
    guard now >= lastArrival + timing.stale else { return }
    report(.stale, reason: "no data for \(timing.stale.components.seconds) s")
    guard now >= lastArrival + silenceLimit else { return }
    updateAttempts { $0.countRepair() }
    if attempts.repairs.isMultiple(of: 2) {
      reconnect(after: LinkFailure(kind: .transient, message: "connected, but no data"), at: now)
    } else {
      unsubscribe()
      subscribe(at: now)
    }
  }
}
