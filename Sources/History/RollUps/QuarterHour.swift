package import HeartRate

/// The sums of the measurements of one quarter hour. All offsets from UTC are multiples of a quarter hour, so a quarter hour
/// belongs to one local day in every time zone.
package struct QuarterHour: Equatable, Sendable {
  /// Its start, a multiple of 15 min since 1970.
  package let start: WallTime
  package let sums: MeasurementSums
  /// Whether the source is the embedded simulated strap.
  package let isSimulated: Bool

  package init(start: WallTime, sums: MeasurementSums, isSimulated: Bool) {
    (self.start, self.sums, self.isSimulated) = (start, sums, isSimulated)
  }

  /// Length of a quarter hour in microseconds.
  static let length: Int64 = 900_000_000

  /// The start of the quarter hour `number`, in microseconds since 1970, clamped to the range of `Int64`.
  static func start(_ number: Int64) -> Int64 {
    let (start, overflow) = number.multipliedReportingOverflow(by: length)
    return overflow ? (number < 0 ? .min : .max) : start
  }

  /// The numbers of the quarter hours that start within `times`.
  static func numbers(in times: Range<WallTime>) -> Range<Int64> {
    let first = roundedUp(times.lowerBound)
    return first..<max(first, roundedUp(times.upperBound))
  }

  private static func roundedUp(_ time: WallTime) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: length)
    return remainder > 0 ? quotient + 1 : quotient
  }
}

extension HistoryReader {
  /// Whether `profile` has simulated sessions that do not count, because it also has others.
  package func leavesOutSimulated(of profile: String) throws(HistoryError) -> Bool {
    try read { try QuarterHourTable.leavesOutSimulated($0, profile: profile) }
  }

  /// The quarter hours that start within `times` and contain measurements of `profile`, by time. Simulated measurements
  /// count only for a profile without other sessions.
  package func quarterHours(of profile: String, in times: Range<WallTime>) throws(HistoryError)
    -> [QuarterHour]
  {
    try read { try QuarterHourTable.within($0, profile: profile, times) }
  }

  /// The sums of the measurements of `profile` within `times`, computed from the measurements.
  package func sums(of profile: String, in times: Range<WallTime>) throws(HistoryError) -> MeasurementSums {
    try read { try QuarterHourTable.sums($0, profile: profile, times) }
  }
}
