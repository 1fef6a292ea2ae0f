public import HRV
public import HeartRate

/// The one path from what arrives to what is measured: live, replay, analysis and tests all run this type.
///
/// It is a value. It reads no clock, does no input or output, and equal events give equal results, to the bit.
public struct StressEngine: Sendable {
  public struct Settings: Equatable, Sendable {
    /// Length of the window, 30 s to 5 min.
    public var window: Duration
    public var metric: HRVMetric
    public var judging: BeatStream.Judging

    public init(
      window: Duration = .seconds(60), metric: HRVMetric = .rmssd, judging: BeatStream.Judging = .provisional
    ) {
      self.window = window
      self.metric = metric
      self.judging = judging
    }

    /// The window lengths that are offered.
    public static let windows: ClosedRange<Duration> = .seconds(30)...Duration.seconds(300)
  }

  public enum Event: Equatable, Sendable {
    /// A notification, decoded. Comes before the gap and the beats that it causes.
    case notification(HeartRateMeasurement)
    /// A notification that does not decode. The session goes on.
    case undecodable(HeartRateMeasurement.DecodingError)
    case gap(Gap)
    case beat(Beat)
    /// One for each beat, right after it.
    case measurement(StressMeasurement)
  }

  public let settings: Settings
  public let baseline: Baseline
  private var stream: BeatStream
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow
  private let windowSeconds: Double

  public init(settings: Settings = Settings(), baseline: Baseline = .prior) {
    self.settings = settings
    self.baseline = baseline
    stream = BeatStream(judging: settings.judging)
    beats = BeatWindow(length: settings.window)
    arrivals = ArrivalWindow(length: settings.window)
    windowSeconds = Double(settings.window.ticks) / Double(RRInterval.ticksPerSecond)
  }

  /// Takes the next event of the session and hands what follows from it to `emit`, in order.
  /// - Complexity: O(1) per beat, amortised; allocates nothing once the window has its working size.
  public mutating func update(_ event: SessionEvent, emit: (Event) throws -> Void) rethrows {
    switch event.kind {
    case .notification(let payload):
      try notification(payload, event, emit)
    case .interval(let rr):
      let measurement = HeartRateMeasurement(heartRate: nil, rrIntervals: RRIntervals(rr))
      try emit(.notification(measurement))
      try append(measurement.rrIntervals, event, emit)
    case .link(let change) where change.state == .lost:
      stream.linkLost(at: event.at)
    case .end:
      if let gap = stream.finish(at: event.at) { try emit(.gap(gap)) }
    case .link, .battery, .mark:
      break
    }
  }

  private mutating func notification(
    _ payload: [UInt8], _ event: SessionEvent, _ emit: (Event) throws -> Void
  ) rethrows {
    let measurement: HeartRateMeasurement
    do {
      measurement = try HeartRateMeasurement(payload: payload)
    } catch {
      return try emit(.undecodable(error))
    }
    try emit(.notification(measurement))
    arrivals.append(
      arrival: event.at, rr: measurement.rrIntervals.totalTicks,
      contactLost: measurement.contact == .notDetected)
    try append(measurement.rrIntervals, event, emit)
  }

  private mutating func append(
    _ intervals: RRIntervals, _ event: SessionEvent, _ emit: (Event) throws -> Void
  ) rethrows {
    var stream = self.stream
    try stream.append(intervals, arrival: event.at) { output in
      switch output {
      case .gap(let gap):
        try emit(.gap(gap))
      case .beat(let beat):
        beats.append(beat)
        try emit(.beat(beat))
        try emit(.measurement(measure(beat, wall: event.wall)))
      }
    }
    self.stream = stream
  }

  private func measure(_ beat: Beat, wall: WallTime?) -> StressMeasurement {
    let nn = beats.sums
    let score = score(nn)
    var measurement = StressMeasurement(
      time: beat.end, wall: wall, verdict: beat.verdict, window: windowSeconds, nn: nn, beats: beats.beats,
      coverage: arrivals.coverage, score: score, confidence: Confidence())
    measurement.confidence = confidence(nn, score)
    return measurement
  }

  /// Absent while the window holds too few beats for either input.
  private func score(_ nn: NNSums) -> StressScore? {
    guard let hrv = settings.metric.value(nn), let heartRate = nn.meanHeartRate else { return nil }
    return try? StressScore(
      StressScore.Inputs(
        hrv: hrv, heartRate: heartRate, baselineHRV: baseline.hrv(settings.metric),
        restingHeartRate: baseline.restingHeartRate))
  }

  private func confidence(_ nn: NNSums, _ score: StressScore?) -> Confidence {
    var confidence = Confidence()
    if let score {
      confidence[.lowHRV] = ConfidenceCurves.lowHRV(score.inputs.hrv)
      confidence[.heartRateRange] = ConfidenceCurves.heartRateRange(score.inputs.heartRate)
    }
    confidence[.sampleCount] = nn.count > 0 ? ConfidenceCurves.sampleCount(nn.count) : 0
    confidence[.artefacts] = beats.artefactShare.map(ConfidenceCurves.artefacts)
    confidence[.coverage] = ConfidenceCurves.coverage(arrivals, meanNN: nn.meanNN)
    confidence[.windowFill] = ConfidenceCurves.windowFill(nn, length: windowSeconds)
    confidence[.contact] = arrivals.contactLostShare.map(ConfidenceCurves.contact)
    confidence[.sensor] = ConfidenceCurves.sensor(nn)
    confidence[.baseline] = ConfidenceCurves.baseline(days: baseline.days)
    return confidence
  }
}
