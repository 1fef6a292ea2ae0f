import HRV
import HeartRate
import Stress

/// The beats of one part of a morning reading with final verdicts.
///
/// The final classification examines the last two intervals before a gap only as a consequence of the interval before them
/// (``ArtefactClassifier``). A reading of a minute is short enough for one such interval to dominate RMSSD, so a beat in this
/// place is normal only if its provisional verdict is normal as well.
struct MorningBeats {
  let beats: [Beat]
  let sensorClass: SensorClass?

  init(_ events: [SessionEvent], in times: Range<SessionTime>) {
    let collected = CollectedBeats(events)
    sensorClass = collected.sensorClass
    var judged = ArtefactClassifier.classify(collected.beats)
    let provisional = Self.provisionalVerdicts(events)
    for place in judged.indices where Self.isAtEnd(place, of: judged) && place < provisional.count {
      if judged[place].verdict.isNormal { judged[place].verdict = provisional[place] }
    }
    var part = Array(judged.ended(after: times.lowerBound, through: times.upperBound))
    if !part.isEmpty { part[0].followsBreak = true }
    beats = part
  }

  var series: NNSeries { NNSeries(of: beats) }

  private static func provisionalVerdicts(_ events: [SessionEvent]) -> [Verdict] {
    var stream = BeatStream(classification: .provisional)
    var verdicts: [Verdict] = []
    for event in events {
      stream.update(event) { if case .beat(let beat) = $0 { verdicts.append(beat.verdict) } }
    }
    return verdicts
  }

  /// Whether the beat is one of the last two of its segment.
  private static func isAtEnd(_ place: Int, of beats: [Beat]) -> Bool {
    (place + 1...place + 2).contains { next in
      next >= beats.count || beats[next].followsBreak || beats[next].verdict == .gap
    }
  }
}
