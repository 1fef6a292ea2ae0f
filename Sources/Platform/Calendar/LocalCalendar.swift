import Glibc
package import Time

/// Converts between points in time and local days and times of day.
package struct LocalCalendar: Sendable {
  /// Seconds east of UTC at a point in time.
  package let utcOffset: @Sendable (WallTime) -> Int

  package init(utcOffset: @escaping @Sendable (WallTime) -> Int) { self.utcOffset = utcOffset }

  /// The calendar of this machine's time zone.
  package static let system = LocalCalendar { time in
    var seconds = time_t(time.microseconds / 1_000_000)
    var fields = unsafe tm()
    return unsafe localtime_r(&seconds, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
  }

  /// The calendar day of a time, in days since 1970-01-01.
  package func day(of time: WallTime) -> Int64 { time.localDay(utcOffset: utcOffset(time)) }

  /// The start of a day: midnight, or the first time after it where a daylight-saving change skips midnight.
  package func start(ofDay day: Int64) -> WallTime {
    // UTC offsets are below one day, and the local day never decreases with time, so bisection finds the start.
    var (before, after) = ((day - 1) * 86_400, (day + 1) * 86_400)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if self.day(of: WallTime(seconds: middle)) < day { before = middle } else { after = middle }
    }
    return WallTime(seconds: after)
  }

  /// The points in time with the local time `local`, in seconds since 1970-01-01 without a zone.
  ///
  /// A local time that occurs twice, when clocks are set back, has two. For a local time that a daylight-saving change
  /// skips, `isSkipped` is true, and the two lie before and after it by the length of the skipped interval.
  package func moments(showing local: Int64) -> (earliest: WallTime, latest: WallTime, isSkipped: Bool) {
    let candidates = [-86_400, 86_400].map { local - Int64(utcOffset(WallTime(seconds: local + $0))) }
    let shown = candidates.filter { $0 + Int64(utcOffset(WallTime(seconds: $0))) == local }
    let moments = shown.isEmpty ? candidates : shown
    return (
      WallTime(seconds: moments.min() ?? local), WallTime(seconds: moments.max() ?? local), shown.isEmpty
    )
  }

  /// The local date and time, `2026-11-21 07:30:00`.
  package func text(_ time: WallTime) -> String {
    let local = localText(time)
    return local.prefix(10) + " " + local.dropFirst(11).prefix(8)
  }

  /// The local date with its weekday, `Sat 2026-11-21`.
  package func dayText(_ time: WallTime) -> String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let day = day(of: time)
    return weekdays[Int((day % 7 + 7) % 7)] + " " + localText(time).prefix(10)
  }

  /// The local time of day, `07:30:00`.
  package func clockText(_ time: WallTime) -> Substring {
    let second = time.microseconds / 1_000_000 - (time.microseconds % 1_000_000 < 0 ? 1 : 0)
    let local = ((second + Int64(utcOffset(time))) % 86_400 + 86_400) % 86_400
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(local / 3600)):\(two(local / 60 % 60)):\(two(local % 60))"
  }

  private func localText(_ time: WallTime) -> String {
    time.advanced(ticks: Int64(utcOffset(time)) * SessionTime.ticksPerSecond).rfc3339
  }
}

extension WallTime {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  fileprivate init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }
}

/// Parses dates with a time of day: `2026-11-20T10:00` in the local time zone, or RFC 3339 with an offset.
package enum LocalTime {
  /// Parses a date with a time of day, to the minute or the second. A time without an offset is local.
  ///
  /// Returns `nil` if the text is malformed, the date does not exist, or a daylight-saving change skips the local time.
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
