import HRV
package import History
import Stress

/// The result of a morning reading, compared with the mornings before it.
package struct MorningReport {
  package let result: MorningResult
  package let assessment: MorningAssessment?
  /// Whether the reading is in the series.
  package let counts: Bool
  /// The reading of the same day that counts instead; nil without one.
  package let other: StoredMorning?

  /// - Parameters:
  ///   - earlier: the counted readings up to the day of the reading.
  ///   - stored: whether the reading is in the history.
  package init(_ result: MorningResult, earlier: [StoredMorning], stored: Bool) {
    self.result = result
    let reading = result.reading
    let sameDay = earlier.first { $0.day == result.day }
    counts = stored && sameDay != nil && sameDay?.session == result.session.id
    other = counts ? nil : sameDay
    let series = MorningSeries(earlier, posture: reading.posture)
    let rmssd = reading.refusal == nil ? reading.sums.rmssd : nil
    assessment = rmssd.map { MorningAssessment(rmssd: $0, on: result.day, in: series) }
  }

  /// Compares the reading with the stored readings up to its day.
  /// - Parameter reader: nil if nothing is stored.
  package init(_ result: MorningResult, _ reader: HistoryReader?, isStored: Bool) throws(HistoryError) {
    let days = result.day - MorningSeries.recentDays - 6..<result.day + 1
    let earlier = try reader?.countedMornings(of: result.session.profile ?? String(), in: days) ?? []
    self.init(result, earlier: earlier, stored: isStored)
  }
}
