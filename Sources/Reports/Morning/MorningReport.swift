import HRV
package import History
import Stress

/// The result of a morning reading, compared with the mornings before it.
package struct MorningReport {
  package let result: MorningResult
  package let assessment: MorningAssessment?
  /// Whether the reading is in the series.
  package let counts: Bool
  /// The reading of the same day that counts instead, if any.
  package let other: StoredMorning?
  package let storage: StorageOutcome
  /// Whether the earlier readings are known; false if the history cannot be read.
  let hasHistory: Bool

  /// - Parameters:
  ///   - earlier: the counted readings up to the day of the reading, if the history can be read.
  ///   - storage: how much of the reading is in the history.
  package init(_ result: MorningResult, earlier: [StoredMorning]?, storage: StorageOutcome) {
    (self.result, self.storage, hasHistory) = (result, storage, earlier != nil)
    let earlier = earlier ?? []
    let reading = result.reading
    let sameDay = earlier.first { $0.day == result.day }
    counts = storage.hasSession && sameDay != nil && sameDay?.session == result.session.id
    other = counts ? nil : sameDay
    let series = MorningSeries(earlier, posture: reading.posture)
    let rmssd = reading.refusal == nil ? reading.sums.rmssd : nil
    assessment = rmssd.map { MorningAssessment(rmssd: $0, on: result.day, in: series) }
  }

  /// Compares the reading with the stored readings up to its day, if the history can be read.
  package init(_ result: MorningResult, at location: StoreLocation?, _ storage: StorageOutcome) {
    let days = result.day - MorningSeries.recentDays - 6..<result.day + 1
    var earlier: [StoredMorning]? = []
    if let location {
      do throws(HistoryError) {
        let profile = result.session.profile ?? String()
        earlier = try HistoryReader(location)?.countedMornings(of: profile, in: days) ?? []
      } catch { earlier = nil }
    }
    self.init(result, earlier: earlier, storage: storage)
  }
}
