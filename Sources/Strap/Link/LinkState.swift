/// The state of a link, with the data that exist only in that state.
///
/// A state in which an operation is under way holds the operation's ticket; its completion has no effect in any other
/// state. All times are durations since the session began.
enum LinkState: Equatable, Sendable {
  typealias Ticket = Int

  case idle
  case attaching(Ticket)
  /// Waits for bluetoothd or the bus.
  case awaitingService(until: Duration)
  /// Waits for the adapter; without a time limit once its absence has been reported.
  case awaitingAdapter(until: Duration?)
  case scanning(LinkScan)
  case stoppingScan(Ticket)
  case connecting(Ticket)
  /// Connect has succeeded, but BlueZ does not report the link yet.
  case awaitingLink(until: Duration)
  /// Linked, while the object of 0x2A37 is missing or unconfirmed.
  case resolving(since: Duration, until: Duration)
  /// StartNotify is under way; at `reminder` the probable cause of the delay is reported.
  case subscribing(Ticket, reminder: Duration?)
  case streaming(lastArrival: Duration)
  case disconnecting(Ticket)
  /// Disconnect has succeeded, but BlueZ still reports the link.
  case awaitingLinkEnd(until: Duration)
  /// Between two attempts. A link that existed when the back-off began (`ignoresLink`) is not used.
  case backingOff(until: Duration, ignoresLink: Bool)
  case ended
}

/// A discovery that the session has requested.
struct LinkScan: Equatable, Sendable {
  var startedAt: Duration
  /// Whether the scan also reports devices that do not advertise 0x180D.
  var isWide = false
  /// The ticket of the StartDiscovery call that is under way.
  var pendingStart: LinkState.Ticket?
  /// When the devices found have to be evaluated next, even without a new one.
  var deadline: Duration?
}

extension LinkState {
  /// When the state has to be evaluated, even without an event. `streaming` has its own deadline, which depends on
  /// what was reported.
  var deadline: Duration? {
    switch self {
    case .awaitingService(let until), .awaitingLink(let until), .awaitingLinkEnd(let until): until
    case .resolving(_, let until), .backingOff(let until, _): until
    case .awaitingAdapter(let until): until
    case .scanning(let scan): scan.deadline
    case .subscribing(_, let reminder): reminder
    case .idle, .attaching, .stoppingScan, .connecting, .streaming, .disconnecting, .ended: nil
    }
  }

  var isStreaming: Bool { if case .streaming = self { true } else { false } }

  /// Whether the loss of the adapter ends this state.
  var needsAdapter: Bool {
    switch self {
    case .idle, .attaching, .awaitingService, .awaitingAdapter, .ended: false
    default: true
    }
  }
}

/// What the session has requested from BlueZ and undoes when it ends.
struct LinkRequests: OptionSet, Sendable {
  let rawValue: UInt8

  /// A discovery may be active, even if BlueZ did not answer.
  static let discovery = LinkRequests(rawValue: 1)
  /// A link was requested; a link that existed before the session is left unchanged.
  static let link = LinkRequests(rawValue: 2)
}
