import HeartRate

/// Finds the strap, connects, subscribes, and keeps doing so: a value that takes events and answers with actions.
///
/// It has no clock, no bus and no radio. Time comes with each event, as the duration since the session began;
/// ``nextDeadline`` says when the next `tick` is wanted. One operation is under way at a time: `begin` carries a
/// ticket, `completed` brings it back, and an answer with an old ticket is passed over.
///
/// BlueZ's replies are hints, its objects are the facts: a link is a device with `Connected`, a strap with a
/// heart rate is one with an object for 0x2A37, and a subscription is one that data come through.
struct LinkStateMachine: Sendable {
  enum Event: Equatable, Sendable {
    case start
    /// The facts have changed.
    case world(LinkWorld)
    case completed(ticket: Int, LinkFailure?)
    /// A notification arrived.
    case notification
    /// org.bluez has an owner again.
    case serviceAppeared
    /// bluetoothd or the bus is gone, and all that it knew of us.
    case detached(LinkFailure)
    /// BlueZ named the reason why the link ends.
    case disconnectReason(String)
    case tick
  }

  enum Operation: Equatable, Sendable {
    /// Opens the bus, subscribes to BlueZ's signals, then reads its objects.
    case attach(startService: Bool)
    /// Begins a scan for 0x180D, or for all that speaks LE.
    case startScan(wide: Bool)
    case stopScan
    case connect(StrapIdentity)
    /// `StartNotify` on a bus connection made for it.
    case subscribe(StrapIdentity)
    case disconnect(StrapIdentity)
  }

  enum Action: Equatable, Sendable {
    case begin(Operation, ticket: Int)
    /// Close the connection that holds the subscription.
    case dropSubscription
    case report(LinkChange)
    /// The session cannot go on.
    case fail(StrapError)
  }

  enum State: Equatable, Sendable {
    case idle
    case attaching
    case awaitingService
    case awaitingAdapter
    case scanning
    case stoppingScan
    case connecting
    /// Connect has succeeded, but BlueZ does not say that there is a link yet.
    case awaitingLink
    /// Linked; the object of 0x2A37 is not there yet.
    case resolving
    case subscribing
    case streaming
    case disconnecting
    /// Between two attempts.
    case resting
    case ended
  }

  let selection: StrapSelection
  /// The adapter asked for, to be named when it is not there.
  let adapter: String?
  let timing: LinkTiming
  var backoff: Backoff

  var state = State.idle
  /// When the state has lasted long enough.
  var deadline: Duration?
  var ticket = 0
  /// Whether the operation of `ticket` is under way.
  var isUnderWay = false
  var world = LinkWorld()
  var actions: [Action] = []

  /// The strap, once chosen: from then on it is only ever this one.
  var target: StrapIdentity?
  /// Whether this session asked BlueZ for the link, so that it has to undo it.
  var askedForLink = false
  /// Whether BlueZ has answered in this session.
  var hasAttached = false
  /// Whether data could have been flowing at least once: from then on it never gives up.
  var hasStreamed = false
  /// When the search began: with the first scan, not with the wait for the bus and for bluetoothd.
  var searchBeganAt = Duration.zero
  var hasScanned = false
  var scanStartedAt = Duration.zero
  var scanIsWide = false
  /// Whether BlueZ may be scanning for us: also when it did not answer.
  var mayBeScanning = false
  var resolvingSince = Duration.zero
  var restBeganLinked = false
  /// Failures since data last came.
  var failures = 0
  var lastFailure: LinkFailure?
  var reported: LinkChange?
  var disconnectReason: String?

  var lastArrival = Duration.zero
  /// Repairs of a silent link since data last came.
  var repairs = 0
  var subscribedPath: String?

  init(
    selection: StrapSelection, adapter: String? = nil, timing: LinkTiming = LinkTiming(), seed: UInt64
  ) {
    self.selection = selection
    self.adapter = adapter
    self.timing = timing
    backoff = Backoff(seed: seed, timing: timing)
  }

  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    guard state != .ended else { return [] }
    switch event {
    case .start:
      searchBeganAt = now
      report(.searching)
      attach(startService: true)
    case .notification: noteArrival(at: now)
    case .world(let world):
      self.world = world
      considerWorld(at: now)
    case .completed(let ticket, let failure):
      guard ticket == self.ticket, isUnderWay else { break }
      isUnderWay = false
      complete(failure, at: now)
    case .serviceAppeared:
      if state == .awaitingService { attach(startService: false) }
    case .detached(let failure): detach(failure, at: now)
    case .disconnectReason(let words): disconnectReason = words
    case .tick: considerTime(at: now)
    }
    guard !actions.isEmpty else { return [] }
    defer { actions = [] }
    return actions
  }

  /// When a `tick` is wanted, if nothing else comes before.
  ///
  /// Mutating, since it is asked with each notification: a getter that is not gets a copy of the whole machine.
  var nextDeadline: Duration? {
    mutating get {
      switch state {
      case .streaming: silenceDeadline
      case .ended: nil
      default: deadline
      }
    }
  }

  /// The strap whose link has to be ended when the session is over: one that was there before is left alone.
  var linkToUndo: StrapIdentity? { askedForLink ? target : nil }
}

/// How long each thing may take.
struct LinkTiming: Equatable, Sendable {
  /// How long to look for a strap before giving up; nil for ever.
  var search: Duration? = .seconds(30)
  /// How long others may answer before the one that did is taken.
  var settle = Duration.seconds(5)
  /// When the scan is widened to straps that do not advertise 0x180D.
  var narrowScan = Duration.seconds(8)
  /// How long a scan lasts when the search itself has no end.
  var scanWindow = Duration.seconds(20)
  /// For the adapter to come up after bluetoothd has.
  var adapterGrace = Duration.seconds(3)
  /// Between the success of Connect and `Connected`.
  var link = Duration.seconds(3)
  /// For the object of 0x2A37; an H10 may need 20 s.
  var resolve = Duration.seconds(30)
  /// How long `ServicesResolved` may lag behind the object of 0x2A37, which may be an old one.
  var confirm = Duration.seconds(5)
  /// After so long without an answer to the first StartNotify, a person is told what it may be.
  var answer = Duration.seconds(10)
  /// Disconnect takes effect 2 s later.
  var disconnect = Duration.seconds(6)
  /// Between the first failure and the next attempt, about,
  var firstRest = Duration.milliseconds(500)
  /// and between later ones, at most.
  var longestRest = Duration.seconds(15)
  /// Without data for so long, what is on show is stale,
  var stale = Duration.seconds(5)
  /// and for so long, something has to be done.
  var silence = Duration.seconds(15)
}
