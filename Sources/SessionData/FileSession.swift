package import HeartRate

/// One session read from a file.
package struct FileSession: Sendable {
  /// Start time of a session, as far as the file states it.
  package enum Start: Equatable, Sendable {
    /// A point in time, with the offset from UTC in seconds (east is positive) if known.
    case absolute(WallTime, utcOffset: Int?)
    /// A local time (encoded as if it were UTC) in an unknown time zone.
    case local(WallTime)
  }

  package var start: Start?
  package var strap: StrapIdentity?
  /// Events in the order of their times, which are relative to the start of the session. The last one is the end, if the
  /// session has one.
  package var events: [SessionEvent]
  /// Number of values that were empty or skipped on request.
  package var skipped = 0
  /// Profile and conditions of the session; only in files that stressmon wrote.
  package var header: RecordingHeader?
  /// What the header of a recording does not contain; only in exported JSON lines.
  package var provenance: SessionProvenance?

  package init(start: Start? = nil, strap: StrapIdentity? = nil, events: [SessionEvent] = []) {
    self.start = start
    self.strap = strap
    self.events = events
  }

  /// Number of RR intervals in events and in decodable notifications.
  package var beats: Int {
    events.reduce(0) { $0 + $1.beats }
  }
}

/// What a history stores about a session in addition to the header of a recording.
package struct SessionProvenance: Equatable, Sendable {
  /// `strap`, `simulated` or `imported`.
  package var source: String?
  /// Offset from UTC in seconds (east is positive) at the start.
  package var utcOffset: Int?
  /// Monotonic clock at the start, in ns.
  package var monotonicNanoseconds: Int64?
  /// Whether the session was ended; false if the program was killed.
  package var isFinished: Bool?
  /// Wall-clock time of the end.
  package var ended: WallTime?
  /// The times of the readings of a session of `measure`, whose other measurements are not stored. Other sessions have none.
  package var readings: [SessionTime]?

  package init(
    source: String? = nil, utcOffset: Int? = nil, monotonicNanoseconds: Int64? = nil,
    isFinished: Bool? = nil, ended: WallTime? = nil, readings: [SessionTime]? = nil
  ) {
    self.source = source
    self.utcOffset = utcOffset
    self.monotonicNanoseconds = monotonicNanoseconds
    self.isFinished = isFinished
    self.ended = ended
    self.readings = readings
  }
}

extension FileSession.Start {
  /// Parses `2026-11-20T07:30:00.123` and variants: a space instead of the T, optional decimals, and an offset such as
  /// `+01:00`, ` +0100` or `Z`. Without an offset, the time is local.
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

  /// The clock time of either kind.
  package var reading: WallTime {
    switch self {
    case .absolute(let time, _), .local(let time): time
    }
  }

  /// The start moved back by `ticks`.
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
