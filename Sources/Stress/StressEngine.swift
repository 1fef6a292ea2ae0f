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
    /// What kind of intervals the sensor sends was found, or found to be another. Comes last of what follows from an
    /// event.
    case sensor(SensorClass)
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
    try Self.pass(event, through: &stream, into: &window, emit)
  }

  /// Takes the two parts by themselves, so that one can be changed while the other is.
  private static func pass(
    _ event: SessionEvent, through stream: inout BeatStream, into window: inout StressWindow,
    _ emit: (Event) throws -> Void
  ) rethrows {
    let known = window.sensorClass
    try stream.update(event) { output in
      switch output {
      case .notification(let measurement):
        if event.kind.hasArrivalTime { window.append(measurement, arrival: event.at) }
        try emit(.notification(measurement))
      case .undecodable(let error):
        try emit(.undecodable(error))
      case .gap(let gap):
        try emit(.gap(gap))
      case .beat(let beat):
        try emit(.beat(beat))
        window.append(beat, wall: event.wall)
        try emit(.measurement(window.measurement))
      }
    }
    if let found = window.sensorClass, found != known { try emit(.sensor(found)) }
  }
}

extension SessionEvent.Kind {
  /// Whether the event's time says when something arrived; text files have no such times.
  fileprivate var hasArrivalTime: Bool {
    if case .notification = self { true } else { false }
  }
}
