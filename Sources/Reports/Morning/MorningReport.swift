import HRV
import HeartRate
package import History
package import JSONLines
import Localization
package import Stress

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

extension MorningReport {
  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("session", result.session.id?.text)
      line.put("profile", result.session.profile)
      line.put("time", result.time.rfc3339)
      line.put("day", TrendPeriod.date(Int64(result.day)))
      line.put("simulated", result.session.sensor.source == .simulated)
      line.put(result.reading)
      line.put("counted", counts)
      line.put(assessment)
      if result.parts.count > 1 {
        line.put("standing") { $0.put(result.parts[1]) }
      } else {
        line.put("standing", nil as String?)
      }
      line.put(.heartRateRise, result.heartRateRise)
      line.put("sentence", sentences.map { Language.english.text($0) }.joined(separator: " "))
    }
    return line.bytes
  }
}

extension JSONLine {
  /// Adds the values of a part of a reading.
  fileprivate mutating func put(_ part: MorningPart) {
    put("posture", part.posture.rawValue)
    put("duration_s", part.seconds)
    put("beats", part.sums.count)
    put(.rmssd, part.sums.rmssd)
    put(.lnRMSSD, part.sums.lnRMSSD)
    put(.sdnn, part.sums.sdnn)
    put(.meanHeartRate, part.sums.meanHeartRate)
    put(.artefacts, part.artefactFraction.map { $0 * 100 })
    put(.confidence, part.confidence)
    put("refusal", part.refusal?.rawValue)
  }

  /// Adds the statistics of the mornings; null with too little history.
  /// - Parameter source: The kind of the readings, which some keys name.
  mutating func put(_ assessment: MorningAssessment?, of source: NormalRange.Source = .mornings) {
    let kind = source.rawValue
    put(normal: assessment?.normal, rmssd: assessment?.rmssd)
    put("score", assessment?.verdict?.score)
    put("level", assessment?.verdict?.level.rawValue)
    put("seven_day_mean_ln_rmssd", assessment?.week?.mean)
    put("seven_day_\(kind)", assessment?.week?.count)
    put(.variation, assessment?.week?.variation)
    put("smallest_worthwhile_change_ln_rmssd", assessment?.week?.worthwhileChange)
    put("seven_day_trend", assessment?.week?.trend?.rawValue)
    put("three_\(kind)_low", assessment?.isLow)
    put("\(kind)_missing", assessment?.missingForRange)
  }

  /// Adds a normal range, and the position of RMSSD (in ms) in it.
  package mutating func put(normal range: NormalRange?, rmssd: Double?) {
    let position = range.flatMap { range in rmssd.map { range.position($0) } }
    put(.normalLow, range?.rmssd.lowerBound)
    put(.normalHigh, range?.rmssd.upperBound)
    put("normal_source", range?.source.rawValue)
    put("normal_count", range?.count)
    put("normal_position", position?.rawValue)
    put(
      "normal_since",
      position.flatMap { range?.since($0) }.map { TrendPeriod.date(Int64($0)) })
  }
}
