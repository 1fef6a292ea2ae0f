import HRV
import HeartRate
import Stress

/// The part of one session that is compared.
struct SessionPart {
  var events: [SessionEvent]
  var settings: StressEngine.Settings
  /// The baseline that was in force.
  var baseline: Baseline
  /// Which part of it: beats that ended after the first and up to the second of these.
  var start: SessionTime
  var end: SessionTime
  /// Its time 0 by the wall clock, in ticks since that of the first part.
  var offset: Int64 = 0

  /// The whole of a session, or `span` of it.
  init(
    events: [SessionEvent], settings: StressEngine.Settings = .init(), baseline: Baseline = .prior,
    span: TimeSpan?
  ) {
    (self.events, self.settings, self.baseline) = (events, settings, baseline)
    start = span?.from.map { SessionTime(ticks: $0.ticks) } ?? SessionTime(ticks: .min)
    end = span?.to.map { SessionTime(ticks: $0.ticks) } ?? SessionTime(ticks: .max)
  }
}

/// What two sides are compared by: the judged beats of one of them, and how good they are.
struct ComparedBeats {
  /// With final verdicts; times since time 0 of the first part.
  private(set) var beats: [Beat] = []
  /// Where there are data: each part, from the start of its first interval to the end of its last.
  private(set) var stretches: [(start: SessionTime, end: SessionTime)] = []
  private(set) var gaps = 0
  private(set) var gapTicks: Int64 = 0
  private(set) var trust: WindowTrust

  init(_ parts: [SessionPart]) {
    var trusts = WindowTrust.Samples()
    trust = WindowTrust(trusts)
    for part in parts {
      let collected = CollectedBeats(part.events)
      // Judged in the whole session, so that a part's edges have their neighbours.
      let judged = ArtefactClassifier.classify(collected.beats).ended(after: part.start, through: part.end)
      guard let first = judged.first, let last = judged.last else { continue }
      append(judged, offset: part.offset)
      count(collected.gaps, judged, in: (first.end - first.rr)...last.end)
      trusts.add(part, from: first.end - first.rr, through: last.end)
    }
    trust = WindowTrust(trusts)
  }

  /// Sessions that went on side by side are put one behind the other, so that times never run backwards.
  private mutating func append(_ judged: ArraySlice<Beat>, offset: Int64) {
    let place = beats.count
    let start = judged.first.map { ($0.end - $0.rr).ticks } ?? 0
    let offset = max(offset, stretches.last.map { $0.end.ticks - start } ?? offset)
    for beat in judged {
      var beat = beat
      beat.end = SessionTime(ticks: beat.end.ticks + offset)
      beats.append(beat)
    }
    beats[place].followsBreak = true
    stretches.append((beats[place].end - beats[place].rr, beats[beats.count - 1].end))
  }

  private mutating func count(
    _ found: [Gap], _ judged: ArraySlice<Beat>, in range: ClosedRange<SessionTime>
  ) {
    for gap in found where gap.end > range.lowerBound && gap.start < range.upperBound {
      gaps += 1
      gapTicks += min(gap.end, range.upperBound).ticks - max(gap.start, range.lowerBound).ticks
    }
    for beat in judged where beat.verdict == .gap {
      gaps += 1
      gapTicks += beat.rr.ticks
    }
  }

  /// From the first interval to the last, in ticks; times between parts do not count.
  var duration: Int64 { stretches.reduce(0) { $0 + $1.end.ticks - $1.start.ticks } }

  var series: NNSeries {
    var series = NNSeries()
    for beat in beats { series.append(beat) }
    return series
  }

  /// The metrics of windows side by side, from the start of each part on.
  func windows(_ length: Duration, _ selection: MetricsSelection) -> [SeriesMetrics] {
    stretches.flatMap { stretch in
      WindowTimes(from: stretch.start, to: stretch.end, length: length, step: length).map { start, end in
        SeriesMetrics(beats.ended(after: start, through: end), selection)
      }
    }
  }
}

/// How far the windows of some part of a session can be trusted: what is usual among them.
struct WindowTrust {
  /// The windows' own values.
  struct Samples {
    fileprivate var confidences: [Confidence] = []
    fileprivate var coverages: [Double] = []

    /// Measures the session as it was measured, but in windows that fit into the part, and keeps those that lie in it:
    /// of a part of several minutes the windows that are full.
    mutating func add(_ part: SessionPart, from start: SessionTime, through end: SessionTime) {
      var settings = part.settings
      settings.judging = .provisional
      let longest = Duration(ticks: end.ticks - start.ticks)
      settings.window = min(settings.window, max(longest, StressEngine.Settings.windows.lowerBound))
      var engine = StressEngine(settings: settings, baseline: part.baseline)
      var last: StressMeasurement?
      let before = confidences.count
      for event in part.events {
        engine.update(event) { output in
          guard case .measurement(let measurement) = output, measurement.time > start, measurement.time <= end
          else { return }
          last = measurement
          if measurement.time.ticks - start.ticks >= settings.window.ticks { add(measurement) }
        }
      }
      if confidences.count == before, let last { add(last) }
    }

    private mutating func add(_ measurement: StressMeasurement) {
      confidences.append(measurement.confidence)
      if let coverage = measurement.coverage { coverages.append(coverage) }
    }
  }

  /// Median confidence of the windows, 0 to 1.
  let confidence: Double?
  /// Median of each factor.
  let factors: [(factor: Confidence.Factor, value: Double)]
  /// Median coverage; absent without arrival times.
  let coverage: Double?
  /// The confidence without what says nothing about the data: a low HRV, a young baseline, a window that fills.
  let value: Double

  init(_ samples: Samples) {
    confidence = Self.median(samples.confidences.map(\.value))
    coverage = Self.median(samples.coverages)
    factors = Confidence.Factor.allCases.compactMap { factor in
      Self.median(samples.confidences.compactMap { $0[factor] }).map { (factor, $0) }
    }
    let ofData = samples.confidences.map { confidence in
      var confidence = confidence
      for factor in Self.besidesData { confidence[factor] = nil }
      return confidence.value
    }
    value = Self.median(ofData) ?? 0
  }

  private static let besidesData: [Confidence.Factor] = [.lowHRV, .baseline, .windowFill]

  /// Why the confidence is below 1, the weightiest reasons first.
  var reasons: [String] { Self.reasons(factors) }

  /// Why ``value`` is.
  var reasonsOfData: [String] { Self.reasons(factors.filter { !Self.besidesData.contains($0.factor) }) }

  private static func reasons(_ factors: [(factor: Confidence.Factor, value: Double)]) -> [String] {
    factors.filter { $0.value < 0.995 }.sorted { $0.value < $1.value }.map(\.factor.reason)
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
