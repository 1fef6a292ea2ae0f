import HeartRate
import SessionData

/// Assigns times to beats in rows whose own times are coarser or later than the beats.
///
/// The time of a beat is the running sum of the intervals. If the time of the row is ahead of the sum by more than
/// max(2 s, twice the interval), plus 1 s for times in whole seconds, data are missing and the beat has the time of the row.
/// If all of 64 rows are ahead by at least 1 s (clock drift), the sum is advanced to them.
struct RowClock {
  /// Start of the first interval.
  private(set) var start: FileSession.Start?
  private var at = SessionTime.zero
  private var shortestLead = Int64.max
  private var rows = 0

  /// A gap is longer than this number of ticks.
  static let shortestGap = 3 * RRInterval.ticksPerSecond - 1

  private static let resolution = RRInterval.ticksPerSecond
  private static let rowsPerAdjustment = 64

  /// The end time of a beat with this interval in a row with this time.
  mutating func place(_ interval: RRInterval, _ time: FileSession.Start) -> SessionTime {
    let start = start ?? time.earlier(by: interval.ticks)
    self.start = start
    at = at + interval
    // Years are 0 to 9999 (RFC 3339): the difference fits in 64 bits, but 80 times the difference might not.
    let elapsed = time.reading.microseconds - start.reading.microseconds
    let row = SessionTime(ticks: max(min(elapsed, 1 << 56), -1 << 56) * 80)
    let lead = row.ticks - at.ticks
    if lead > BeatTimeline.tolerance(lastRR: interval) + Self.resolution {
      at = row
      (shortestLead, rows) = (.max, 0)
    } else {
      adjust(lead)
    }
    return at
  }

  private mutating func adjust(_ lead: Int64) {
    shortestLead = min(shortestLead, lead)
    rows += 1
    guard rows == Self.rowsPerAdjustment else { return }
    if shortestLead > Self.resolution { at = SessionTime(ticks: at.ticks + shortestLead) }
    (shortestLead, rows) = (.max, 0)
  }
}
