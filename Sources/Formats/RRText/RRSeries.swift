import HRV
package import HeartRate
import JSONLines
import SessionData

/// A session as a list of RR intervals, for formats that contain nothing else.
///
/// A gap becomes intervals of its total length, because omitting it would join beats that are not adjacent. Readers detect
/// the gap by its length: an RR above 3 s is not a beat.
package struct RRSeries: Sequence, Sendable {
  private let intervals: [RRInterval]

  /// - Parameter longest: limit of an interval; a longer gap becomes several intervals.
  package init(_ events: some Sequence<SessionEvent>, longest: RRInterval) {
    var intervals: [RRInterval] = []
    var gap: Int64 = 0
    var stream = BeatStream(classification: .none)
    for event in events {
      stream.update(event) { part in
        switch part {
        case .gap(let missing): gap += missing.end.ticks - missing.start.ticks
        case .beat(let beat):
          // A gap before the first beat is omitted.
          while gap > 0, !intervals.isEmpty {
            intervals.append(Swift.min(RRInterval(ticks: gap), longest))
            gap -= longest.ticks
          }
          gap = 0
          intervals.append(Swift.min(beat.rr, longest))
        case .notification, .undecodable: break
        }
      }
    }
    self.intervals = intervals
  }

  package var isEmpty: Bool { intervals.isEmpty }
  package func makeIterator() -> IndexingIterator<[RRInterval]> { intervals.makeIterator() }

  /// The intervals rounded to whole ms, at least 1.
  func milliseconds() -> [Int64] {
    intervals.map {
      Swift.max(1, ($0.ticks + RRInterval.ticksPerMillisecond / 2) / RRInterval.ticksPerMillisecond)
    }
  }
}

extension RRSeries {
  /// One RR per line in ms, exact.
  package var text: [UInt8] {
    var bytes: [UInt8] = []
    for rr in intervals {
      bytes.append(milliseconds: rr.ticks)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Limit of an interval in RR text: just below 24 h.
  package static let longestInText = RRInterval(ticks: RRText.longestTicks)
  /// Limit of an interval in FIT and Polar HRM files.
  package static let longestInFile = RRInterval(ticks: 60 * RRInterval.ticksPerSecond)
}
