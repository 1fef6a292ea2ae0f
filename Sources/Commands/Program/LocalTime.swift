import HeartRate

/// Times as people type them: `2026-11-20T10:00`, by the clock here, or RFC 3339 with an offset.
enum LocalTime {
  /// Reads a date with a time of day, to the minute or the second. A time without an offset is local; one that the clock
  /// here skipped when it was set for summer is none, and of one that it showed twice it is the first.
  static func parse(_ text: Substring) -> WallTime? {
    if let absolute = WallTime(withOffset: text) { return absolute }
    // With an offset of zero it says whether the date and the time exist in the calendar.
    let seconds = text.count == 16 ? ":00" : ""
    guard text.count == 16 || text.count == 19, let shown = WallTime(rfc3339: "\(text)\(seconds)Z") else {
      return nil
    }
    let moments = LocalCalendar.system.moments(showing: shown.microseconds / 1_000_000)
    return moments.isSkipped ? nil : moments.earliest
  }

  /// When a clock here showed `reading`, which is taken as if it were UTC. A time that the clock skipped is as far into
  /// the day as it would have been without.
  static func time(when reading: WallTime) -> WallTime {
    let text = reading.rfc3339
    let part = reading.microseconds % 1_000_000
    if let whole = parse(text.prefix(19)) { return whole.advanced(ticks: part * 80) }
    return WallTime(microseconds: reading.microseconds - Int64(LocalZone(at: reading).utcOffset) * 1_000_000)
  }
}

extension WallTime {
  /// Reads RFC 3339 with an offset or `Z`, in which the seconds may be left out: `2026-10-25T02:30+01:00`.
  init?(withOffset text: Substring) {
    let (minute, offset) = (text.prefix(16), text.dropFirst(16))
    let seconds = offset.first.map { "Z+-".contains($0) } == true ? ":00" : ""
    self.init(rfc3339: minute + seconds + offset)
  }
}
