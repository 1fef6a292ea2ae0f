package import HeartRate

/// One session as a file holds it.
package struct FileSession: Sendable {
  /// When a session began, as far as its file says so.
  package enum Start: Equatable, Sendable {
    /// At this time, where clocks were so many seconds east of UTC, if that is known.
    case absolute(WallTime, utcOffset: Int?)
    /// When a clock on the wall showed this (taken as if it were UTC), in a zone that the file does not name.
    case local(WallTime)
  }

  package var start: Start?
  package var strap: StrapIdentity?
  /// In the order of their times, which count from the beginning of the session. The last one is the end, if the session
  /// had one.
  package var events: [SessionEvent]
  /// Values that stand for none, or that were to be left out.
  package var skipped = 0
  /// Whose session it was, and what its results depended on: of files that stressmon wrote.
  package var header: RecordingHeader?
  /// What is not in the header of a recording: of JSON lines that stressmon wrote.
  package var provenance: SessionProvenance?

  package init(start: Start? = nil, strap: StrapIdentity? = nil, events: [SessionEvent] = []) {
    self.start = start
    self.strap = strap
    self.events = events
  }

  /// How many RR intervals it holds, as far as its notifications decode.
  package var beats: Int {
    events.reduce(0) { count, event in
      switch event.kind {
      case .interval: count + 1
      case .notification(let payload):
        count + ((try? HeartRateMeasurement(payload: payload))?.rrIntervals.count ?? 0)
      default: count
      }
    }
  }
}

/// What a history knows of a session beside the header of its recording.
package struct SessionProvenance: Equatable, Sendable {
  /// `strap`, `simulated` or `imported`.
  package var source: String?
  /// Seconds east of UTC when it began.
  package var utcOffset: Int?
  /// What the monotonic clock showed when it began, in nanoseconds.
  package var monotonicNanoseconds: Int64?
  /// Whether it was ended; a session whose program was killed was not.
  package var isFinished: Bool?
  /// When it was ended, by the wall clock.
  package var ended: WallTime?

  package init(
    source: String? = nil, utcOffset: Int? = nil, monotonicNanoseconds: Int64? = nil,
    isFinished: Bool? = nil, ended: WallTime? = nil
  ) {
    self.source = source
    self.utcOffset = utcOffset
    self.monotonicNanoseconds = monotonicNanoseconds
    self.isFinished = isFinished
    self.ended = ended
  }
}

extension FileSession.Start {
  /// Reads `2026-11-20T07:30:00.123` and its kin: a blank for the T, decimals or none, and an offset as `+01:00`,
  /// ` +0100` or `Z`; without one the time is local.
  package init?(date text: some StringProtocol) {
    let words = text.split(separator: " ")
    var joined = words.count == 3 ? "\(words[0]) \(words[1])\(words[2])" : words.joined(separator: " ")
    if let time = WallTime(rfc3339: joined + "Z") {
      self = .local(time)
      return
    }
    let sign = joined.suffix(5)
    if sign.first == "+" || sign.first == "-", sign.dropFirst().allSatisfy(\.isNumber) {
      joined.insert(":", at: joined.index(joined.endIndex, offsetBy: -2))
    }
    guard let time = WallTime(rfc3339: joined) else { return nil }
    self = .absolute(time, utcOffset: joined.hasSuffix("Z") ? 0 : Self.offset(joined.suffix(6)))
  }

  private static func offset(_ text: Substring) -> Int? {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    return (text.first == "-" ? -60 : 60) * (parts[0] * 60 + parts[1])
  }

  /// The reading of the clock, of whichever kind.
  package var reading: WallTime {
    switch self {
    case .absolute(let time, _), .local(let time): time
    }
  }

  /// The same so many ticks earlier.
  package func earlier(by ticks: Int64) -> FileSession.Start {
    switch self {
    case .absolute(let time, let offset): .absolute(time.advanced(ticks: -ticks), utcOffset: offset)
    case .local(let time): .local(time.advanced(ticks: -ticks))
    }
  }
}

extension RRInterval {
  /// Limit of an interval in files, in ticks: just below 24 h.
  package static let longestTicks = 86_400 * ticksPerSecond - 1
}
