import HRV
import HeartRate

/// RMSSD and SDNN of the minutes of labelled recordings, relative to those of the intervals between two normal beats.
package struct LabelledWindows: Sendable {
  /// A window of 60 s.
  package struct Window: Sendable {
    /// Number of labelled beats.
    let labelled: Int
    /// Relative errors; nil without a value.
    let rmssd: Double?
    let sdnn: Double?
  }

  package private(set) var windows: [Window] = []

  /// Whose values are compared.
  package enum Method: Sendable {
    /// Those of a live window, with provisional verdicts.
    case live
    /// Those of an analysis, with final verdicts.
    case final
  }

  /// The classes by number of labelled beats for which the figures are given.
  package static let classes = [0...0, 1...2, 3...6, 7...15, 16...Int.max]

  package init() {}

  /// Appends a window every 10 s, from the first full one.
  package mutating func append(_ recording: LabelledRecording, by method: Method) {
    guard let labels = recording.labelled else { return }
    let isLabelled = Set(labels)
    var reference = recording.beats
    for place in reference.indices where !isLabelled.isDisjoint(with: [place - 1, place]) {
      reference[place].verdict = .ectopic
    }
    let live = method == .live ? Self.liveValues(recording.liveBeats) : []
    let judged = method == .final ? ArtefactClassifier.classify(recording.beats) : []
    var next = SessionTime.zero + Self.length
    for (place, beat) in reference.enumerated() where beat.end >= next {
      next = beat.end + Self.step
      let start = SessionTime(ticks: beat.end.ticks - Self.length.ticks)
      let truth = Self.values(reference.ended(after: start, through: beat.end))
      guard truth.normal >= Self.fewestBeats else { continue }
      let found =
        method == .live ? live[place] : Self.values(judged.ended(after: start, through: beat.end))
      let first = place + 1 - reference.ended(after: start, through: beat.end).count
      windows.append(
        Window(
          labelled: (first...place).count { isLabelled.contains($0) },
          rmssd: Self.error(found.rmssd, truth.rmssd), sdnn: Self.error(found.sdnn, truth.sdnn)))
    }
  }

  /// Percentage of the windows with a value and as many labelled beats that are more than 20 % off, and their number.
  package func percentOff(_ labelled: ClosedRange<Int>, _ value: Value) -> (percent: Double, windows: Int) {
    let errors = errors(labelled, value)
    let off = errors.count { abs($0) > 0.2 }
    return (errors.isEmpty ? 0 : 100 * Double(off) / Double(errors.count), errors.count)
  }

  /// Median error of the same windows in percent; nil without any.
  package func medianError(_ labelled: ClosedRange<Int>, _ value: Value) -> Double? {
    errors(labelled, value).median.map { $0 * 100 }
  }

  package enum Value: String, CaseIterable, Sendable {
    case rmssd = "RMSSD"
    case sdnn = "SDNN"
  }

  private func errors(_ labelled: ClosedRange<Int>, _ value: Value) -> [Double] {
    windows.filter { labelled.contains($0.labelled) }.compactMap { value == .rmssd ? $0.rmssd : $0.sdnn }
  }
}

extension LabelledWindows {
  private static let length = RRInterval(ticks: 60 * RRInterval.ticksPerSecond)
  private static let step = RRInterval(ticks: 10 * RRInterval.ticksPerSecond)
  private static let fewestBeats = 20

  private struct Values {
    var normal: Int
    var rmssd: Double?
    var sdnn: Double?
  }

  private static func values(_ beats: some Sequence<Beat>) -> Values {
    var series = NNSeries()
    for (place, beat) in beats.enumerated() {
      var beat = beat
      if place == 0 { beat.followsBreak = true }
      series.append(beat)
    }
    return Values(normal: series.sums.count, rmssd: series.sums.rmssd, sdnn: series.sums.sdnn)
  }

  private static func liveValues(_ beats: [Beat]) -> [Values] {
    var window = BeatWindow(length: .seconds(60))
    return beats.map { beat in
      window.append(beat)
      return Values(normal: window.beats, rmssd: window.rmssd, sdnn: window.sdnn)
    }
  }

  private static func error(_ value: Double?, _ truth: Double?) -> Double? {
    guard let value, let truth, truth > 0 else { return nil }
    return value / truth - 1
  }
}
