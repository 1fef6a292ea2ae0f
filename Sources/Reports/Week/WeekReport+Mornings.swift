import History
import Stress

extension WeekReport {
  /// The morning readings of the week in the posture of the latest one. One reading a day suffices for the changes.
  package var morningsOfWeek: [MorningTrend.Day] { mornings.shown(in: lastWeek) }

  private var lastWeek: Range<Int> { mornings.days.upperBound - 7..<mornings.days.upperBound }

  /// Whether the changes of HRV and heart rate are those of the morning readings.
  package var isBasedOnMornings: Bool { morningsOfWeek.count >= WeekChange.fewestDays }

  /// The ratio of RMSSD of the mornings to that of the week before.
  package var morningRMSSD: WeekChange { change(\.rmssd, isRatio: true) }

  /// The difference of the heart rate of the mornings from that of the week before, in bpm.
  package var morningHeartRate: WeekChange { change(\.heartRate, isRatio: false) }

  private func change(_ value: (StoredMorning) -> Double?, isRatio: Bool) -> WeekChange {
    let before = mornings.shown(in: mornings.days.lowerBound..<lastWeek.lowerBound)
    return WeekChange(
      of: morningsOfWeek.compactMap { value($0.reading) }, against: before.compactMap { value($0.reading) },
      isRatio: isRatio)
  }
}
