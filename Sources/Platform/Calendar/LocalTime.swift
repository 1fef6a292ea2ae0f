package import HeartRate

/// Parses dates with a time of day: `2026-11-20T10:00` in the local time zone, or RFC 3339 with an offset.
package enum LocalTime {
  /// Parses a date with a time of day, to the minute or the second. A time without an offset is local.
  ///
  /// Returns nil for malformed text, for non-existent dates, and for a local time that a daylight-saving change skips.
  /// Returns the first of two occurrences where clocks were set back.
  package static func parse(_ text: Substring) -> WallTime? {
    if let absolute = WallTime(withOffset: text) { return absolute }
    // Parsing it as UTC checks that the date and the time exist in the calendar.
    let seconds = text.count == 16 ? ":00" : ""
    guard text.count == 16 || text.count == 19, let shown = WallTime(rfc3339: "\(text)\(seconds)Z") else {
      return nil
    }
    let moments = LocalCalendar.system.moments(showing: shown.microseconds / 1_000_000)
    return moments.isSkipped ? nil : moments.earliest
  }

  /// The point in time with the local time `reading`, which is given as if it were UTC. A local time that a
  /// daylight-saving change skips is moved by the length of the skipped interval.
  package static func time(when reading: WallTime) -> WallTime {
    let text = reading.rfc3339
    let part = reading.microseconds % 1_000_000
    if let whole = parse(text.prefix(19)) { return whole.advanced(ticks: part * 80) }
    return WallTime(microseconds: reading.microseconds - Int64(LocalZone(at: reading).utcOffset) * 1_000_000)
  }
}

extension WallTime {
  /// Parses RFC 3339 with an offset or `Z`; the seconds are optional: `2026-10-25T02:30+01:00`.
  package init?(withOffset text: Substring) {
    let (minute, offset) = (text.prefix(16), text.dropFirst(16))
    let seconds = offset.first.map { "Z+-".contains($0) } == true ? ":00" : ""
    self.init(rfc3339: minute + seconds + offset)
  }
}
