/// Timeouts and intervals of a link.
struct LinkTiming: Equatable, Sendable {
  /// Maximum duration of the search for a strap, if it is limited.
  var search: Duration? = .seconds(30)
  /// Time for further straps to answer before the only one that did is selected.
  var settle = Duration.seconds(5)
  /// Time after which the scan also accepts straps that do not advertise 0x180D.
  var narrowScan = Duration.seconds(8)
  /// Duration of one scan when the search has no limit.
  var scanWindow = Duration.seconds(20)
  /// Time for the adapter to power up after bluetoothd has started.
  var adapterGrace = Duration.seconds(3)
  /// Maximum time between the success of Connect and `Connected`.
  var link = Duration.seconds(3)
  /// Maximum time for the object of 0x2A37 to appear; an H10 may need 20 s.
  var resolve = Duration.seconds(30)
  /// Maximum delay of `ServicesResolved` after the object of 0x2A37, which may be a cached one.
  var confirm = Duration.seconds(5)
  /// Time without an answer to the first StartNotify after which the probable cause is reported.
  var answer = Duration.seconds(10)
  /// Disconnect takes effect 2 s after its reply.
  var disconnect = Duration.seconds(6)
  /// Back-off after the first failure.
  var firstBackoff = Duration.milliseconds(500)
  /// Maximum back-off.
  var longestBackoff = Duration.seconds(15)
  /// Time between two evaluations of other devices during the search, and while the strap is known.
  var searchEvaluation = Duration.milliseconds(250)
  var linkedEvaluation = Duration.seconds(1)
  /// Time without data after which displayed values are stale.
  var stale = Duration.seconds(5)
  /// Time without data after which the subscription or the link is renewed.
  var silence = Duration.seconds(15)
}

/// Limits how often the objects of other devices are evaluated.
///
/// The first change is evaluated at once. Further changes within ``interval`` are evaluated together at its end, so none is lost.
struct EvaluationThrottle: Equatable, Sendable {
  enum Decision: Equatable, Sendable {
    case now
    /// Evaluate after this time.
    case after(Duration)
    /// An evaluation is already scheduled.
    case scheduled
  }

  private var last: Duration?
  /// Whether there are changes that were not evaluated.
  private(set) var isScheduled = false

  /// A device has changed.
  /// - Parameters:
  ///   - now: The time since the session began.
  ///   - interval: The time from one evaluation to the next.
  mutating func change(at now: Duration, interval: Duration) -> Decision {
    guard !isScheduled else { return .scheduled }
    guard let last, now < last + interval else { return .now }
    isScheduled = true
    return .after(last + interval - now)
  }

  /// The objects were evaluated, for any reason.
  mutating func evaluated(at now: Duration) { last = now }

  /// The scheduled evaluation is due or cancelled.
  mutating func unschedule() { isScheduled = false }
}
