import HeartRate
import Platform

/// Requests PPI instead of the RR intervals of a strap, because they are smoothed: the intervals of some optical bands (Polar
/// OH1) are derived from the heart rate, while PPI is measured from pulse to pulse.
///
/// Has no effect if the strap does not provide PPI, or PPI is not among the streams of the session.
package final class IntervalReplacement: Sendable {
  private struct State {
    var isRequested = false
    var perform: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  package init() {}

  /// Requests PPI for the rest of the session. May be called from any thread, and repeatedly.
  package func request() {
    let perform = state.withLock { state in
      defer { state.isRequested = true }
      return state.isRequested ? nil : state.perform
    }
    perform?()
  }

  /// Sets what a request does, for the session that begins.
  func onRequest(_ perform: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      state.perform = perform
      return state.isRequested
    }
    if isRequested { perform() }
  }
}

/// Detects straps that send a heart rate without RR intervals: 20 successive notifications of this kind. A strap that has
/// sent an interval is never one of them; ``IntervalReplacement`` requests PPI for one that smooths its intervals.
struct MissingIntervals: Sendable {
  private static let patience = 20

  private var count = 0
  private var isDecided = false

  /// Processes a notification; true once, for the notification that decides.
  mutating func update(_ payload: [UInt8]) -> Bool {
    guard !isDecided, let measurement = try? HeartRateMeasurement(payload: payload) else { return false }
    guard measurement.rrIntervals.isEmpty else {
      isDecided = true
      return false
    }
    if measurement.plausibleHeartRate != nil { count += 1 }
    isDecided = count >= Self.patience
    return isDecided
  }
}
