import HeartRate
package import History
import JSONLines
package import Stress

/// The morning readings of a range of local days, each compared with the mornings before it in the same posture.
package struct MorningTrend {
  /// The counted reading of a day.
  package struct Day {
    package let reading: StoredMorning
    package let assessment: MorningAssessment
  }

  package let profile: String
  /// In days since 1970-01-01.
  package let days: Range<Int>
  /// By day; days without a reading are missing.
  package let readings: [Day]

  package init(profile: String, days: Range<Int>, readings: [Day]) {
    (self.profile, self.days, self.readings) = (profile, days, readings)
  }

  package init(_ reader: HistoryReader?, of profile: String, in days: Range<Int>) throws(HistoryError) {
    (self.profile, self.days) = (profile, days)
    let first = days.lowerBound - MorningSeries.recentDays - 6
    let all = try reader?.countedMornings(of: profile, in: first..<days.upperBound) ?? []
    let series = Dictionary(
      uniqueKeysWithValues: MorningPosture.allCases.map { ($0, MorningSeries(all, posture: $0)) })
    readings = all.filter { days.contains($0.day) }.compactMap { reading in
      guard let series = series[reading.posture], let rmssd = reading.rmssd else { return nil }
      return Day(reading: reading, assessment: MorningAssessment(rmssd: rmssd, on: reading.day, in: series))
    }
  }

  /// The last `count` days that end with `today`.
  package init(
    _ reader: HistoryReader?, of profile: String, last count: Int, until today: Int
  ) throws(HistoryError) {
    try self.init(reader, of: profile, in: today - count + 1..<today + 1)
  }

  package var isSimulated: Bool { readings.last?.reading.isSimulated ?? false }

  /// The posture of the latest reading, which charts show.
  package var posture: MorningPosture? { readings.last?.reading.posture }

  /// The latest normal range in ``posture``.
  package var normal: NormalRange? { readings.last?.assessment.normal }

  /// The readings in ``posture`` within `days`.
  package func shown(in days: Range<Int>) -> [Day] {
    readings.filter { $0.reading.posture == posture && days.contains($0.reading.day) }
  }

  /// One object per reading.
  package var json: [UInt8] {
    var line = JSONLine()
    for day in readings {
      line.line { line in
        day.reading.put(into: &line)
        line.put(day.assessment)
      }
    }
    return line.bytes
  }
}
