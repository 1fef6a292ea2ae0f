import HeartRate
import JSONLines
import SessionData

/// Converts the rows of a table of events to beats.
///
/// With a column of RR intervals, each row with a number in it is a beat. Without it, beats are the rows whose `trial_type` is that of
/// a beat, or all rows if there is no such column; RR intervals are the differences of their onsets.
struct BIDSEventTable {
  struct RowError: Error { let why: String }

  private static let beats: Set = [
    "beat", "heartbeat", "qrs", "r", "r_peak", "r-peak", "rpeak", "pulse", "n", "normal", "start",
  ]
  private static let intervalNames: Set = ["rr_ms", "rr", "rri", "ibi", "rr_interval"]

  private let count: Int
  private let onset: Int?
  private let kind: Int?
  private let interval: Int?
  private var direct: BeatSession
  private var peaks: PeakReader
  private var hasGap = false

  init(_ columns: [String], _ mode: SessionEvents.Mode) {
    (direct, peaks) = (BeatSession(mode), PeakReader(mode))
    count = columns.count
    onset = columns.firstIndex(of: "onset")
    kind = columns.firstIndex(of: "trial_type")
    interval = columns.firstIndex { Self.intervalNames.contains($0.lowercased()) }
  }

  var session: BeatSession { interval == nil ? peaks.session : direct }

  mutating func append(_ line: Substring) throws {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard cells.count == count else { throw RowError(why: "\(count) columns are expected") }
    guard let onset, let at = Self.time(cells[onset]) else {
      throw RowError(why: "no onset in seconds in the column \"onset\"")
    }
    let kind = kind.map { cells[$0].lowercased() }
    if kind == "gap" {
      hasGap = true
      return peaks.gap()
    }
    guard let interval else {
      if kind.map(Self.beats.contains) ?? true { try peaks.peak(at: at, opens: kind == "start") }
      return
    }
    guard cells[interval] != "n/a" else {
      hasGap = hasGap || kind == "start"
      return
    }
    guard let rr = RRInterval(millisecondsIn: cells[interval]) else {
      throw RowError(why: "no RR interval in ms")
    }
    try direct.append(rr, end: at, followsGap: hasGap)
    hasGap = false
  }

  static func time(_ text: Substring) -> SessionTime? {
    let isNegative = text.hasPrefix("-")
    let ticks = DecimalNumber(Array((isNegative ? text.dropFirst() : text).utf8)[...])?.ticks(
      perUnit: RRInterval.ticksPerSecond, limit: 1_000_000_000 * RRInterval.ticksPerSecond)
    return ticks.map { SessionTime(ticks: isNegative ? -$0 : $0) }
  }
}
