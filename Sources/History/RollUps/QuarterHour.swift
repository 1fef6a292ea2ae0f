package import HeartRate

/// What was measured in one quarter of an hour, whatever the time zone: every zone is whole quarters away from UTC.
package struct QuarterHour: Equatable, Sendable {
  /// When it began: a multiple of 15 min since 1970.
  package let start: WallTime
  package let sums: MeasurementSums
  /// Whether it is of the embedded simulated strap.
  package let isSimulated: Bool
}

extension HistoryReader {
  /// The quarters of hours that begin within `times` and in which `profile` measured, in their order. Simulated
  /// measurements count only while the profile has no others.
  package func quarterHours(of profile: String, in times: Range<WallTime>) throws(HistoryError)
    -> [QuarterHour]
  {
    try read { try QuarterHourRow.within($0, profile: profile, times) }
  }

  /// What the measurements of `profile` within `times` amount to, from the measurements themselves.
  package func sums(of profile: String, in times: Range<WallTime>) throws(HistoryError) -> MeasurementSums {
    try read { try QuarterHourRow.sums($0, profile: profile, times) }
  }
}
