import HRV
import HeartRate
import LiveFeed
import LiveSession

/// The beats and stress values in the lines of a session, as the charts draw them.
struct LiveBeats: Equatable, Sendable {
  struct Beat: Equatable, Sendable {
    /// End of the interval in seconds of the session.
    let time: Double
    /// In ms.
    let interval: Double
    /// nil until the line of its measurement.
    var verdict: Verdict?
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
      if let content = line.content { update(content) }
    }
  }

  private mutating func update(_ line: SessionLine) {
    guard let time = line.seconds else { return }
    switch line.content {
    case .notification(let notification):
      add(notification.intervals.map(\.milliseconds), endingAt: time)
      add(notification.heartRate, to: .heartRate, at: time)
    case .motion(let rate): add(rate, to: .respiration, at: time)
    case .ecg(let ecg): add(ecg.respiration, to: .respiration, at: time)
    case .gap: gapPrecedes = true
    case .measurement(let measurement):
      if unclassified < beats.count {
        beats[unclassified].verdict = measurement.verdict
        unclassified += 1
      }
      add(measurement.rmssd, to: .rmssd, at: time)
      add(measurement.sdnn, to: .sdnn, at: time)
      add(measurement.artefacts, to: .artefacts, at: time)
      guard let stress = measurement.stress, let clock = line.time else { return }
      scores.append(Score(time: time, clock: clock, stress: stress))
    case .link, .mark, .end, .notice, .other: break
    }
  }

  private mutating func add(_ value: Double?, to metric: LiveTrend.Metric, at time: Double) {
    guard let value else { return }
    trends[metric, default: LiveTrend()].add(value, at: time)
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
