import HRV
public import HeartRate
import JSONLines

/// A session as a list of RR intervals, for formats that know nothing else.
///
/// A gap stands in it as intervals of its length, because a list without them would make neighbours of beats that were
/// none. Readers tell a gap by its length: an RR above 3 s is none.
public struct RRSeries: Sequence, Sendable {
  private let intervals: [RRInterval]

  /// - Parameter longest: No interval is longer; a gap that is stands as several.
  public init(_ events: some Sequence<SessionEvent>, longest: RRInterval) {
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

  public var isEmpty: Bool { intervals.isEmpty }
  public func makeIterator() -> IndexingIterator<[RRInterval]> { intervals.makeIterator() }

  /// In whole milliseconds, the nearest, and at least 1.
  func milliseconds() -> [Int64] {
    intervals.map {
      Swift.max(1, ($0.ticks + RRInterval.ticksPerMillisecond / 2) / RRInterval.ticksPerMillisecond)
    }
  }
}

extension RRSeries {
  /// One RR per line in ms, exact.
  public var text: [UInt8] {
    var bytes: [UInt8] = []
    for rr in intervals {
      bytes.append(milliseconds: rr)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The longest interval that text holds, just below 24 h.
  public static let longestInText = RRInterval(ticks: RRText.longestTicks)
  /// The longest that is put into a FIT or a Polar HRM file.
  public static let longestInFile = RRInterval(ticks: 60 * RRInterval.ticksPerSecond)
}
