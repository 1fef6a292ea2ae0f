/// One row per day in the layouts that training logs import. docs/reference/formats.md names the sources of the layouts.
package enum TrainingLog {
  /// The values of a day. Missing values are not measured.
  package struct Day: Equatable, Sendable {
    /// `2026-11-20`
    package var date: String
    /// Local start of the morning reading, `2026-11-20T07:02:11`.
    package var time: String?
    /// Of the morning reading, in bpm.
    package var restingHeartRate: Double?
    /// Of the morning reading, in ms.
    package var rmssd: Double?
    /// The category of the day's mean stress, 1 (relaxed) to 4 (high).
    package var stress: Int?

    package init(
      date: String, time: String? = nil, restingHeartRate: Double? = nil, rmssd: Double? = nil,
      stress: Int? = nil
    ) {
      (self.date, self.time) = (date, time)
      (self.restingHeartRate, self.rmssd, self.stress) = (restingHeartRate, rmssd, stress)
    }
  }

  /// The wellness file of Intervals.icu. Missing values are empty; days without a value have no row.
  package static func intervals(_ days: [Day]) -> [UInt8] {
    text(
      ["date", "restingHR", "hrv", "stress"],
      days.compactMap { day in
        let values = [
          day.restingHeartRate.map { "\(Int($0.rounded()))" }, day.rmssd.map(tenths),
          day.stress.map { "\($0)" },
        ]
        return values.contains { $0 != nil } ? [day.date] + values.map { $0 ?? "" } : nil
      })
  }

  /// The measurements file of HRV4Training. Its readers require a time and RMSSD, so only days with a complete morning reading
  /// have a row.
  package static func hrv4Training(_ days: [Day]) -> [UInt8] {
    text(
      ["timestamp_measurement", "HR", "rMSSD"],
      days.compactMap { day in
        guard let time = day.time, let heartRate = day.restingHeartRate, let rmssd = day.rmssd else {
          return nil
        }
        return [time, tenths(heartRate), tenths(rmssd)]
      })
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func text(_ headings: [String], _ rows: [[String]]) -> [UInt8] {
    ([headings] + rows).flatMap { Array(($0.joined(separator: ",") + "\n").utf8) }
  }
}
