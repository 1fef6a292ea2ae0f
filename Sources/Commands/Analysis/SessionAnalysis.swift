import Formats
import HRV
import HeartRate
import Stress

/// What a whole recording, or a list of RR intervals, amounts to.
struct SessionAnalysis {
  /// Which series of beats stands at the top.
  enum Top: Sendable {
    /// Beats that are normal by their final verdicts.
    case normal
    /// All beats, whatever they are: nothing is judged.
    case raw
    /// The series in which artefacts are replaced by what was likely there.
    case corrected
  }

  let file: String
  /// `rr-text` with its unit, or what `--format` calls it.
  let format: String
  let top: Top
  let selection: MetricsSelection
  /// What the wall clock showed at time 0 of the session, where that is known.
  private(set) var started: WallTime?
  /// By name, the one at the top first.
  private(set) var series: [(name: String, metrics: SeriesMetrics)] = []
  /// The beats of the series at the top; empty for a list of RR that is not judged, unless they were asked for.
  private(set) var topBeats: [Beat] = []
  /// All beats with their final verdicts; empty where nothing is judged.
  private(set) var classified: [Beat] = []
  private(set) var verdicts: [Verdict: Int] = [:]
  /// Beats in all, and how many of them the corrected series changes.
  private(set) var beats = 0
  private(set) var corrected = 0
  private(set) var gaps = 0
  private(set) var gapTicks: Int64 = 0
  private(set) var undecodable = 0
  private(set) var skippedLines = 0
  /// The column of a table that the intervals are from: its heading, else its number.
  private(set) var column: String?
  /// What kind of intervals the sensor sent; nil where nothing is judged, or too little came to tell.
  private(set) var sensorClass: SensorClass?
  /// From the start of the first interval to the end of the last, in ticks.
  private(set) var duration: Int64 = 0

  /// - Parameter keepsBeats: whether the beats are wanted too, where the metrics need only the intervals.
  /// - Throws: ``FormatError`` where the text cannot be read.
  init(
    text: RRTextFile, file: String, top: Top, selection: MetricsSelection?, keepsBeats: Bool = false
  ) throws {
    self.file = file
    self.top = top
    if top == .raw, selection == .time, !keepsBeats {
      // Sums need no interval twice: none is kept.
      let reading = try text.read(NNSeries.self)
      (beats, skippedLines, self.selection) = (reading.count, reading.skippedLines, .time)
      column = reading.column
      format = Self.format(reading.unit)
      measure(raw: reading.series) { NNSegments() }
      return
    }
    let text = try text.text()
    (beats, skippedLines, column) = (text.intervals.count, text.skippedLines, text.column)
    self.selection = selection ?? .usual(beats: beats)
    format = Self.format(text.unit)
    if top == .raw, !keepsBeats {
      measure(raw: NNSeries(raw: text.intervals)) { NNSegments(raw: text.intervals) }
    } else {
      measure(CollectedBeats(text.events))
    }
  }

  init(
    events: some Sequence<SessionEvent>, file: String, format: String = "recording", started: WallTime?,
    top: Top,
    selection: MetricsSelection?, skipped: Int = 0
  ) {
    self.file = file
    self.started = started
    self.top = top
    self.format = format
    skippedLines = skipped
    let collected = CollectedBeats(events)
    self.selection = selection ?? .usual(beats: collected.beats.count)
    gaps = collected.gaps.count
    gapTicks = collected.gaps.reduce(0) { $0 + $1.end.ticks - $1.start.ticks }
    undecodable = collected.undecodable
    measure(collected)
  }

  /// Share of beats that are not normal, 0 to 1; absent where nothing is judged.
  var artefactFraction: Double? {
    classified.isEmpty ? nil : 1 - Double(verdicts[.normal] ?? 0) / Double(classified.count)
  }

  private static func format(_ unit: RRText.Unit) -> String { "rr-text (\(unit.rawValue))" }

  private mutating func measure(raw sums: NNSeries, segments: () -> NNSegments) {
    duration = sums.sums.totalTicks
    series = [("raw", SeriesMetrics(sums, selection, segments: segments))]
  }

  private mutating func measure(_ collected: CollectedBeats) {
    let raw = collected.beats
    beats = raw.count
    if let first = raw.first, let last = raw.last { duration = last.end.ticks - (first.end - first.rr).ticks }
    guard top != .raw else {
      series = [("raw", metrics(raw))]
      topBeats = raw
      return
    }
    sensorClass = collected.sensorClass
    classified = ArtefactClassifier.classify(raw)
    for beat in classified { verdicts[beat.verdict, default: 0] += 1 }
    for beat in classified where beat.verdict == .gap {
      gaps += 1
      gapTicks += beat.rr.ticks
    }
    let correction = CorrectedSeries(of: classified)
    corrected = correction.changed
    series = [
      ("normal", metrics(classified)), ("raw", metrics(raw)), ("corrected", metrics(correction.beats)),
    ]
    if top == .corrected { series.swapAt(0, 2) }
    topBeats = top == .corrected ? correction.beats : classified
  }

  private func metrics(_ beats: [Beat]) -> SeriesMetrics { SeriesMetrics(beats, selection) }
}
