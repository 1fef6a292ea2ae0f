package import HRV
package import HeartRate
package import Stress

/// The beats of a session without verdicts, the gaps between them, and the sensor class.
package struct CollectedBeats {
  package private(set) var beats: [Beat] = []
  package private(set) var gaps: [Gap] = []
  /// Number of notifications that do not decode.
  package private(set) var undecodable = 0
  /// The sensor class at the end of the session; nil if there are too few data to classify it.
  package private(set) var sensorClass: SensorClass?

  package init(_ events: some Sequence<SessionEvent>) {
    var stream = BeatStream(classification: .none)
    var sensor = SensorClassifier()
    for event in events {
      stream.update(event) { output in
        switch output {
        case .notification(let notification): sensor.append(notification)
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
}
