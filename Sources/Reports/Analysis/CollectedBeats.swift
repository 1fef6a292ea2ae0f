package import HRV
package import HeartRate
package import Stress

/// The beats of a session without verdicts, the gaps between them, and the sensor class.
package struct CollectedBeats {
  package private(set) var beats: [Beat] = []
  package private(set) var gaps: [Gap] = []
  /// Number of notifications that do not decode.
  package private(set) var undecodable = 0
  /// The sensor class at the end of the session, if there are enough data to classify it.
  package private(set) var sensorClass: SensorClass?

  /// The marks of the session.
  package private(set) var marks = SessionMarks()
  /// The electrocardiogram, if it is collected.
  package private(set) var ecg: ECGSignal?

  /// - Parameter collectsECG: whether the samples of the electrocardiogram are kept in memory (1.9 MB per hour).
  package init(_ events: some Sequence<SessionEvent>, collectsECG: Bool = false) {
    if collectsECG { ecg = ECGSignal() }
    beats.reserveCapacity(events.underestimatedCount)
    var stream = BeatStream(classification: .none)
    var sensor = SensorClassifier()
    for event in events {
      ecg?.append(event)
      marks.append(event)
      stream.update(event) { output in
        switch output {
        case .notification(let notification): sensor.append(notification, arrival: event.arrival)
        case .undecodable: undecodable += 1
        case .gap(let gap): gaps.append(gap)
        case .beat(let beat):
          beats.append(beat)
          sensor.append(beat)
        }
      }
    }
    sensorClass = sensor.sensorClass
  }

  /// Moves the beats out, to classify them without a copy.
  mutating func takeBeats() -> [Beat] {
    defer { beats = [] }
    return beats
  }
}
