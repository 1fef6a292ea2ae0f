import HRV
import HeartRate
import Recording

/// What a whole recording, or a list of RR intervals, amounts to.
struct SessionAnalysis {
  let file: String
  /// `recording`, or `rr-text` with its unit.
  let format: String
  let judging: BeatStream.Judging
  /// The beats judged normal; absent where beats are not judged.
  private(set) var normal: NNSeries?
  /// All beats, whatever they are.
  private(set) var raw = NNSeries()
  private(set) var verdicts: [Verdict: Int] = [:]
  private(set) var gaps = 0
  private(set) var gapTicks: Int64 = 0
  private(set) var undecodable = 0
  private(set) var skippedLines = 0
  /// From the start of the first interval to the end of the last, in ticks.
  private(set) var duration: Int64 = 0

  /// The series that stands at the top.
  var main: NNSeries { normal ?? raw }

  init(text: RRText, file: String, judging: BeatStream.Judging) {
    self.file = file
    self.judging = judging
    format = "rr-text (\(text.unit.rawValue))"
    skippedLines = text.skippedLines
    if judging == .none {
      raw = NNSeries(raw: text.intervals)
      duration = text.intervals.reduce(0) { $0 &+ $1.ticks }
    } else {
      append(text.events)
    }
  }

  init(events: some Sequence<SessionEvent>, file: String, judging: BeatStream.Judging) {
    self.file = file
    self.judging = judging
    format = "recording"
    append(events)
  }

  private mutating func append(_ events: some Sequence<SessionEvent>) {
    var judged = BeatStream(judging: judging)
    var unjudged = BeatStream(judging: .none)
    if judging != .none { normal = NNSeries() }
    for event in events {
      judged.update(event) { take($0) }
      if judging != .none { unjudged.update(event) { takeRaw($0) } }
    }
  }

  private mutating func take(_ output: BeatStream.Event) {
    switch output {
    case .notification: break
    case .undecodable: undecodable += 1
    case .gap(let gap):
      gaps += 1
      gapTicks += gap.end.ticks - gap.start.ticks
    case .beat(let beat):
      verdicts[beat.verdict, default: 0] += 1
      normal?.append(beat)
      if judging == .none { append(raw: beat) }
    }
  }

  private mutating func takeRaw(_ output: BeatStream.Event) {
    if case .beat(let beat) = output { append(raw: beat) }
  }

  private mutating func append(raw beat: Beat) {
    if firstBeat == nil { firstBeat = beat.end - beat.rr }
    raw.append(beat)
    duration = beat.end.ticks - (firstBeat?.ticks ?? 0)
  }

  private var firstBeat: SessionTime?
}
