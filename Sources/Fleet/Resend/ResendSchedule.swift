internal import History
internal import Platform

/// Decides for which incomplete sessions of a partition a request is sent. Times are ns of the boot clock.
///
/// A receiver cannot answer every request: it may be switched off, or PostgreSQL may reject what it sends. The time between two requests
/// for the same session therefore doubles, up to a day, until an event of it arrives.
struct ResendSchedule {
  private static let interval: Int64 = 30_000_000_000
  private static let longestDelay: Int64 = 86_400_000_000_000

  private struct Attempt {
    var next: Int64
    var backoff = Backoff(shortest: 2 * interval, longest: longestDelay)
    var repeatAt: Int64
  }

  private var attempts: [SessionID: Attempt] = [:]
  private var nextCheck: Int64 = 0

  /// Whether incomplete sessions should be looked up, every 30 s.
  func isDue(at now: Int64) -> Bool { now >= nextCheck }

  /// The sessions to request, by receiver: at most ``ResendRequest/largestCount`` each, those that were not requested yet first. Other
  /// sessions are forgotten.
  mutating func select(
    _ incomplete: [FleetCode: [ResendRequest.Entry]], at now: Int64
  ) -> [FleetCode: [ResendRequest.Entry]] {
    nextCheck = now + Self.interval
    let previous = attempts
    attempts = [:]
    return incomplete.mapValues { select($0, previous, at: now) }.filter { !$0.value.isEmpty }
  }

  private mutating func select(
    _ incomplete: [ResendRequest.Entry], _ previous: [SessionID: Attempt], at now: Int64
  ) -> [ResendRequest.Entry] {
    for entry in incomplete {
      if let attempt = previous[entry.session], attempt.next == entry.next {
        attempts[entry.session] = attempt
      }
    }
    let new = incomplete.filter { attempts[$0.session] == nil }
    let repeated = incomplete.filter { attempts[$0.session].map { $0.repeatAt <= now } ?? false }
    let selected = Array((new + repeated).prefix(ResendRequest.largestCount))
    for entry in selected {
      var attempt = attempts[entry.session] ?? Attempt(next: entry.next, repeatAt: now)
      attempt.repeatAt = attempt.backoff.failed(at: now)
      attempts[entry.session] = attempt
    }
    return selected
  }
}
