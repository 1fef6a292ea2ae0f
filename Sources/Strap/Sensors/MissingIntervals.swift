import HeartRate

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
