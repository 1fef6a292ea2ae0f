import HeartRate
import SessionData

/// Places beats whose rows bear times that are coarser, or later, than the beats themselves.
///
/// A beat lies at the running sum of the intervals. Where the time of its row is ahead of that by more than max(2 s,
/// twice the interval) and a second for rows in whole seconds, data are missing, and the beat lies at the time of its
/// row. Where the rows were ahead by a second and more for 64 rows (a clock that runs faster), the sum moves up to them.
struct RowClock {
  /// When the first interval began.
  private(set) var start: FileSession.Start?
  private var at = SessionTime.zero
  private var shortestLead = Int64.max
  private var rows = 0

  private static let resolution = RRInterval.ticksPerSecond
  private static let rowsPerAdjustment = 64

  /// When a beat of `interval` in a row of that time ended.
  mutating func place(_ interval: RRInterval, _ time: FileSession.Start) -> SessionTime {
    let start = start ?? time.earlier(by: interval.ticks)
    self.start = start
    at = at + interval
    // RFC 3339 has the years 0 to 9999: the difference fits, 80 times it does not always.
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
