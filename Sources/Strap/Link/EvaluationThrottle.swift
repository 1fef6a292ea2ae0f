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
