import HeartRate

/// Detects a sensor that sends its newest interval at a fixed rate, for example once a second, whether or not a beat occurred:
/// intervals are then omitted or repeated.
///
/// Such notifications contain one interval each and arrive at equal distances, and their intervals do not add up to the time
/// that elapsed. Lost notifications leave longer distances, and a sensor that sends each interval at its beat has intervals
/// that do add up.
///
/// - Complexity: O(1) per notification; no allocation.
struct ResamplingStatistics: Sendable {
  /// Whether intervals are omitted or repeated. The result persists until the next complete run.
  private(set) var isResampled = false
  /// Number of distances of the current run, their sum and that of the intervals after the first, in ticks.
  private var count: Int64 = 0
  private var elapsed: Int64 = 0
  private var intervals: Int64 = 0
  private var last: SessionTime?

  /// The longest distance in ticks.
  private static let longest = 10 * RRInterval.ticksPerSecond
  /// The greatest ratio of the intervals to the elapsed time: a slow heart of 30 bpm at four notifications a second. A stream
  /// with a larger one is sent faster than it was measured.
  private static let largestRatio: Int64 = 8
  /// Number of distances of a complete run.
  private static let enough: Int64 = 64

  /// Appends a notification.
  mutating func append(_ intervals: RRIntervals, arrival: SessionTime) {
    defer { last = arrival }
    guard intervals.count == 1, let last else { return startAnew() }
    let distance = arrival.ticks - last.ticks
    guard 0..<Self.longest ~= distance else { return startAnew() }
    // A distance that differs by more than a fifth from the mean ends the run.
    if count > 0, 5 * abs(distance * count - elapsed) > elapsed { startAnew() }
    count += 1
    elapsed += distance
    self.intervals += intervals.totalTicks
    guard count == Self.enough else { return }
    isResampled =
      100 * abs(self.intervals - elapsed) > 3 * elapsed && self.intervals <= Self.largestRatio * elapsed
    startAnew()
  }

  private mutating func startAnew() { (count, elapsed, intervals) = (0, 0, 0) }
}
