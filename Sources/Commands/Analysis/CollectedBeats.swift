import HRV
import HeartRate
import Recording

/// The beats of a session without verdicts, and what lies between them.
struct CollectedBeats {
  private(set) var beats: [Beat] = []
  private(set) var gaps: [Gap] = []
  private(set) var undecodable = 0

  init(_ events: some Sequence<SessionEvent>) {
    var stream = BeatStream(judging: .none)
    for event in events {
      stream.update(event) { output in
        switch output {
        case .notification: break
        case .undecodable: undecodable += 1
        case .gap(let gap): gaps.append(gap)
        case .beat(let beat): beats.append(beat)
        }
      }
    }
  }
}
