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
  public var baseline: Baseline { window.baseline }
  private var stream: BeatStream
  private var window: StressWindow

  public init(settings: Settings = Settings(), baseline: Baseline = .prior) {
    self.settings = settings
    stream = BeatStream(judging: settings.judging)
    window = StressWindow(length: settings.window, metric: settings.metric, baseline: baseline)
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
    window.append(measurement, arrival: event.at)
    try append(measurement.rrIntervals, event, emit)
  }

  private mutating func append(
    _ intervals: RRIntervals, _ event: SessionEvent, _ emit: (Event) throws -> Void
  ) rethrows {
    try Self.pass(intervals, of: event, through: &stream, into: &window, emit)
  }

  /// Takes the two parts by themselves, so that one can be changed while the other is.
  private static func pass(
    _ intervals: RRIntervals, of event: SessionEvent, through stream: inout BeatStream,
    into window: inout StressWindow, _ emit: (Event) throws -> Void
  ) rethrows {
    try stream.append(intervals, arrival: event.at) { output in
      switch output {
      case .gap(let gap):
        try emit(.gap(gap))
      case .beat(let beat):
        try emit(.beat(beat))
        try emit(.measurement(window.append(beat, wall: event.wall)))
      }
    }
  }
}
