package import HeartRate

/// A session in a file has more beats than the limit.
package struct TooManyBeats: Error, Equatable, Sendable {
  package let limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// The events of one session while its file is read: at most ``mostBeats`` beats.
///
/// A beat of two bytes in a compressed file becomes an event of 40 bytes. A file that may exceed the limit is therefore read
/// twice, the first time only to count, which needs no memory:
///
/// ```swift
/// var events = SessionEvents(.counting())
/// for (at, rr) in rows { try events.append(SessionEvent(at: at, .interval(rr))) }  // throws at the first beat too many
/// ```
package struct SessionEvents: Sendable {
  package struct Mode: Sendable {
    /// Whether all events are kept, or only the last one.
    package let keepsEvents: Bool
    package let mostBeats: Int

    package static func counting(mostBeats: Int = SessionEvents.mostBeats) -> Mode {
      Mode(keepsEvents: false, mostBeats: mostBeats)
    }

    package static func keeping(mostBeats: Int = SessionEvents.mostBeats) -> Mode {
      Mode(keepsEvents: true, mostBeats: mostBeats)
    }
  }

  /// The limit of the beats of a session: 115 days at 60 bpm.
  package static let mostBeats = 10_000_000

  private let mode: Mode
  package private(set) var all: [SessionEvent] = []
  package private(set) var last: SessionEvent?
  package private(set) var beats = 0
  private var others = 0

  package init(_ mode: Mode) { self.mode = mode }

  /// - Throws: ``TooManyBeats`` for an event beyond the limit.
  package mutating func append(_ event: SessionEvent) throws(TooManyBeats) {
    try count(event)
    last = event
    if mode.keepsEvents { all.append(event) }
  }

  /// Counts an event that is kept elsewhere.
  package mutating func count(_ event: SessionEvent) throws(TooManyBeats) {
    let count = event.beats + event.pulses
    beats += count
    if count == 0 { others += 1 }
    // A gap before each beat is two events. Heart rates without intervals are common.
    guard beats <= mode.mostBeats, others <= 2 * mode.mostBeats else {
      throw TooManyBeats(limit: mode.mostBeats)
    }
  }
}

extension SessionEvent {
  /// Number of RR intervals in the event; 0 for a notification that cannot be decoded.
  package var beats: Int {
    switch kind {
    case .interval: 1
    case .notification(let payload): (try? HeartRateMeasurement(payload: payload))?.rrIntervals.count ?? 0
    case .sensorFrame, .link, .battery, .stream, .mark, .end: 0
    }
  }

  /// Number of pulse-to-pulse intervals, which are beats if the strap sends no RR intervals.
  fileprivate var pulses: Int {
    guard case .sensorFrame(let payload) = kind, SensorFrame.stream(of: payload) == .ppi else { return 0 }
    return (try? SensorFrame(payload: payload))?.count ?? 0
  }
}
