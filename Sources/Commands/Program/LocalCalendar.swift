import Glibc
import HeartRate

/// Days and times as the clocks show them where a person lives.
struct LocalCalendar: Sendable {
  /// Seconds east of UTC at a time.
  let utcOffset: @Sendable (WallTime) -> Int

  /// By the time zone of this machine.
  static let system = LocalCalendar { time in
    var seconds = time_t(time.microseconds / 1_000_000)
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
  }

  /// The calendar day of a time, in days since 1970-01-01.
  func day(of time: WallTime) -> Int64 { time.localDay(utcOffset: utcOffset(time)) }

  /// The first moment of a day: midnight, or where the clock skipped that, the moment it was set forward.
  func start(ofDay day: Int64) -> WallTime {
    // No clock is more than a day away from UTC, and the day of a time never falls while time goes on.
    var (before, after) = ((day - 1) * 86_400, (day + 1) * 86_400)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if self.day(of: WallTime(seconds: middle)) < day { before = middle } else { after = middle }
    }
    return WallTime(seconds: after)
  }

  /// When the clocks showed `local`, in seconds since 1970-01-01 as if there were no time zones.
  ///
  /// What they showed twice, when they were set back, has two moments. What they skipped has none: those that are given
  /// lie before and after by the length of the skip.
  func moments(showing local: Int64) -> (earliest: WallTime, latest: WallTime, isSkipped: Bool) {
    let candidates = [-86_400, 86_400].map { local - Int64(utcOffset(WallTime(seconds: local + $0))) }
    let shown = candidates.filter { $0 + Int64(utcOffset(WallTime(seconds: $0))) == local }
    let moments = shown.isEmpty ? candidates : shown
    return (
      WallTime(seconds: moments.min() ?? local), WallTime(seconds: moments.max() ?? local), shown.isEmpty
    )
  }

  /// The time as the clocks showed it, `2026-11-21 07:30:00`.
  func text(_ time: WallTime) -> String {
    let local = shown(time)
    return local.prefix(10) + " " + local.dropFirst(11).prefix(8)
  }

  /// The day as the calendar names it, `Sat 2026-11-21`.
  func dayText(_ time: WallTime) -> String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let day = day(of: time)
    return weekdays[Int((day % 7 + 7) % 7)] + " " + shown(time).prefix(10)
  }

  /// The time of day, `07:30:00`.
  func clockText(_ time: WallTime) -> Substring {
    let second = time.microseconds / 1_000_000 - (time.microseconds % 1_000_000 < 0 ? 1 : 0)
    let local = ((second + Int64(utcOffset(time))) % 86_400 + 86_400) % 86_400
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(local / 3600)):\(two(local / 60 % 60)):\(two(local % 60))"
  }

  private func shown(_ time: WallTime) -> String {
    time.advanced(ticks: Int64(utcOffset(time)) * RRInterval.ticksPerSecond).rfc3339
  }
}

extension WallTime {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  fileprivate init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }
}
