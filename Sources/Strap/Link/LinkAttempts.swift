import Platform

/// The progress and the failures of a session, from which follow the back-off and the decision to give up.
///
/// Before data have arrived for the first time, a session ends when its search time is over or when a retry cannot
/// succeed. Afterwards it retries without limit.
struct LinkAttempts: Sendable {
  private enum Progress: Comparable {
    case started
    /// BlueZ has answered.
    case attached
    /// A subscription has succeeded.
    case streamed
  }

  /// When the search time began: with the first scan; until then, with the session.
  private enum SearchStart {
    case session(Duration)
    case firstScan(Duration)

    var time: Duration {
      switch self {
      case .session(let time), .firstScan(let time): time
      }
    }
  }

  private let search: Duration?
  private var backoff: LinkBackoff
  private var progress = Progress.started
  private var searchStart = SearchStart.session(.zero)

  /// Failures since data last arrived.
  private(set) var failures = 0
  private(set) var lastFailure: LinkFailure?
  /// Renewed subscriptions and links since data last arrived.
  private(set) var repairs = 0

  init(timing: LinkTiming, seed: UInt64) {
    search = timing.search
    backoff = LinkBackoff(seed: seed, timing: timing)
  }

  // MARK: Progress

  mutating func start(at now: Duration) { searchStart = .session(now) }
  mutating func attached() { progress = max(progress, .attached) }
  mutating func streamed() { progress = .streamed }

  /// Restarts the search time with the first scan, because waiting for bluetoothd does not count.
  ///
  /// - Returns: false after any later scan.
  mutating func scanStarted(at now: Duration) -> Bool {
    guard case .session = searchStart else { return false }
    searchStart = .firstScan(now)
    return true
  }

  /// The end of the search time, if it is limited.
  var searchEnd: Duration? { search.map { searchStart.time + $0 } }

  // MARK: Failures

  mutating func dataArrived() {
    failures = 0
    repairs = 0
    lastFailure = nil
  }

  mutating func countFailure() { failures += 1 }
  mutating func countRepair() { repairs += 1 }
  mutating func remember(_ failure: LinkFailure) { lastFailure = failure }

  mutating func nextDelay() -> Duration { backoff.delay(afterFailures: failures) }

  /// Whether data could have arrived at least once.
  var hasStreamed: Bool { progress == .streamed }

  /// Whether the session may still end because of a failure.
  var canGiveUp: Bool { !hasStreamed && search != nil }

  /// Whether `failure` ends the session: the search time is over, or a retry cannot succeed.
  func givesUp(after failure: LinkFailure, at now: Duration) -> Bool {
    canGiveUp && (failure.isPermanent || isSearchOver(at: now))
  }

  /// Whether the session ends because bluetoothd or the bus is missing. If bluetoothd has answered before, it may be
  /// restarted within the search time.
  func givesUpOnService(at now: Duration) -> Bool {
    canGiveUp && (progress == .started || isSearchOver(at: now))
  }

  private func isSearchOver(at now: Duration) -> Bool { searchEnd.map { now >= $0 } ?? false }
}

/// Exponential back-off with jitter, which prevents two programs from retrying in step. ``Backoff`` of servers has neither jitter
/// nor a number of failures: it depends on how long the last connection lasted.
struct LinkBackoff: Equatable, Sendable {
  private let first: Duration
  private let longest: Duration
  private var random: SplitMix64

  init(seed: UInt64, timing: LinkTiming = LinkTiming()) {
    random = SplitMix64(seed: seed, stream: 0)
    first = timing.firstBackoff
    longest = timing.longestBackoff
  }

  /// Between half and one and a half times `first * 2^failures`, at most `longest`.
  mutating func delay(afterFailures failures: Int) -> Duration {
    let plain = min(first * (1 << min(max(failures, 0), 10)), longest)
    return min(plain / 2 + plain * Double.random(in: 0..<1, using: &random), longest)
  }
}
