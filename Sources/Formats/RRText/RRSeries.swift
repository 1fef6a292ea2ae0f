import HRV
package import HeartRate
import JSONLines
import SessionData

/// A session as a list of RR intervals, for formats that know nothing else.
///
/// A gap stands in it as intervals of its length, because a list without them would make neighbours of beats that were
/// none. Readers tell a gap by its length: an RR above 3 s is none.
package struct RRSeries: Sequence, Sendable {
  private let intervals: [RRInterval]

  /// - Parameter longest: No interval is longer; a gap that is stands as several.
  package init(_ events: some Sequence<SessionEvent>, longest: RRInterval) {
    var intervals: [RRInterval] = []
    var gap: Int64 = 0
    var stream = BeatStream(judging: .none)
    for event in events {
      stream.update(event) { part in
        switch part {
        case .gap(let missing): gap += missing.end.ticks - missing.start.ticks
        case .beat(let beat):
          // What was missing before the first beat belongs to no list.
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

  /// In whole milliseconds, the nearest, and at least 1.
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
      bytes.append(milliseconds: rr)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The longest interval that text holds, just below 24 h.
  package static let longestInText = RRInterval(ticks: RRText.longestTicks)
  /// The longest that is put into a FIT or a Polar HRM file.
  package static let longestInFile = RRInterval(ticks: 60 * RRInterval.ticksPerSecond)
}
