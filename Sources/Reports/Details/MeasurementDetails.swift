import HRV
import HeartRate
package import History
import JSONLines
import Platform
package import Stress

/// A stored measurement with its session and the journal entries around it.
package struct MeasurementDetails {
  package let measurement: StoredMeasurement
  package let session: StoredSession
  /// Entries from a quarter of an hour before the measurement to a quarter after it.
  package let journal: [JournalEntry]
  /// Normal range of RMSSD at rest on the day of the measurement, if there are enough data.
  package let normal: NormalRange?
  /// Local day of the measurement, in days since 1970-01-01.
  package let day: Int

  /// Reads a measurement. Fails without an error if the profile has no measurement with this number.
  package init?(_ id: Int64, of profile: String, _ reader: HistoryReader) throws(HistoryError) {
    guard let found = try reader.measurement(id, of: profile) else { return nil }
    (measurement, session) = found
    day = Int(LocalCalendar.system.day(of: measurement.time))
    normal = try reader.restingRange(of: measurement.profile, on: day)
    let quarter = 900 * RRInterval.ticksPerSecond
    journal = try reader.journal(
      of: profile,
      in: measurement.time.advanced(ticks: -quarter)..<measurement.time.advanced(ticks: quarter))
  }

  /// The formula with the numbers of the measurement, if it has a stress value.
  package var explanation: Explanation? {
    guard let inputs = measurement.inputs(in: session.info), let score = try? StressScore(inputs) else {
      return nil
    }
    return Explanation(
      score: score, confidence: measurement.confidence,
      interval: measurement.quality.map {
        ExplainedInterval(
          score, quality: $0, range: measurement.range, weight: session.info.baseline.weight)
      },
      reference: Explanation.Reference(baseline: session.info.baseline, metric: session.info.settings.metric),
      collected: measurement.meanNN.map {
        ($0 / 1000 * Double(measurement.normalBeats), measurement.window)
      })
  }

  /// Why there is no stress value.
  package var reason: String { measurement.sensorClass?.warning ?? Self.tooFewBeats }

  package static let tooFewBeats = "There were too few normal beats."

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      measurement.put(into: &line)
      if let explanation {
        line.put("explanation") { explanation.put(into: &$0) }
      } else {
        line.put("reason", reason)
      }
      line.put(normal: normal, rmssd: measurement.rmssd)
      line.put("journal", objects: journal) { $1.put(into: &$0) }
    }
    return line.bytes
  }
}
