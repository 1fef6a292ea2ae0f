import HRV
import HeartRate
import Stress

/// The beats of a session without verdicts, and what lies between them.
struct CollectedBeats {
  private(set) var beats: [Beat] = []
  private(set) var gaps: [Gap] = []
  private(set) var undecodable = 0
  /// What kind of intervals the sensor sent, at the end; nil where too little came to tell.
  private(set) var sensorClass: SensorClass?

  init(_ events: some Sequence<SessionEvent>) {
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
