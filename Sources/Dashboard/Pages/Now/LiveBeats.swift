import HeartRate
import JSONLines
import LiveFeed

/// The beats and stress values in the lines of a session, as the charts draw them. The script continues with the lines that follow.
struct LiveBeats: Equatable, Sendable {
  struct Beat: Equatable, Sendable {
    /// End of the interval in seconds of the session.
    let time: Double
    /// In ms.
    let interval: Double
    /// nil until the line of its measurement.
    var verdict: String?
    /// Whether data are missing before it.
    var followsGap = false
  }

  struct Score: Equatable, Sendable {
    let time: Double
    /// RFC 3339.
    let clock: String
    let stress: Double
  }

  private(set) var beats: [Beat] = []
  private(set) var scores: [Score] = []
  private(set) var trends: [LiveTrend.Metric: LiveTrend] = [:]
  private var unclassified = 0
  private var gapPrecedes = false

  init(_ lines: [FeedLine]) {
    for line in lines {
      guard let object = try? JSONObject(line.bytes) else { continue }
      update(object)
    }
  }

  private mutating func update(_ line: JSONObject) {
    guard let time = line.value("monotonic_s") else { return }
    switch line.text("type") {
    case "notification":
      add(intervals(of: line), endingAt: time)
      add([.heartRate], of: line, at: time)
    case "motion": add([.respiration], of: line, at: time)
    case "gap": gapPrecedes = true
    case "measurement":
      if unclassified < beats.count {
        beats[unclassified].verdict = line.text("verdict")
        unclassified += 1
      }
      add([.rmssd, .sdnn, .artefacts], of: line, at: time)
      guard let stress = line.value("stress"), let clock = line.text("time") else { return }
      scores.append(Score(time: time, clock: clock, stress: stress))
    default: break
    }
  }

  private mutating func add(_ metrics: [LiveTrend.Metric], of line: JSONObject, at time: Double) {
    for metric in metrics {
      guard let value = line.value(named: metric.rawValue) else { continue }
      trends[metric, default: LiveTrend()].add(value, at: time)
    }
  }

  private func intervals(of line: JSONObject) -> [Double] {
    (line["rr_ms"].flatMap(line.elements) ?? []).compactMap(line.value)
  }

  /// The last interval ends when its notification arrives.
  private mutating func add(_ intervals: [Double], endingAt end: Double) {
    var later = intervals.reduce(0, +)
    for interval in intervals {
      later -= interval
      beats.append(Beat(time: end - later / 1000, interval: interval, followsGap: gapPrecedes))
      gapPrecedes = false
    }
  }
}
