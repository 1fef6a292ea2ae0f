public import HRV
public import HeartRate

/// The one path from what arrives to what is measured: live, replay, analysis and tests all run this type.
///
/// It is a value. It reads no clock, does no input or output, and equal events give equal results, to the bit.
public struct StressEngine: Sendable {
  /// The version of classification, windows and scoring together. It is incremented whenever equal events can give a
  /// different result than before. Recordings, sessions and measurements state the version that computed them; those
  /// without one were computed by version 1.
  public static let version = 2

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

  public let settings: Settings
  public var baseline: Baseline { window.baseline }
  /// What kind of intervals the sensor sends, once that is known. It may change with every event.
  public var sensorClass: SensorClass? { window.sensorClass }
  @usableFromInline var stream: BeatStream
  @usableFromInline var window: StressWindow

  public init(settings: Settings = Settings(), baseline: Baseline = .prior) {
    self.settings = settings
    stream = BeatStream(judging: settings.judging)
    window = StressWindow(length: settings.window, metric: settings.metric, baseline: baseline)
  }

  /// Takes the next event of the session. What it consists of goes to `emit`, in order; the measurement that each beat
  /// makes goes to `measured`, right after its beat.
  ///
  /// Two ways out, because measurements are large: in one type with the rest, each notification and each beat would be
  /// as slow to hand on as a measurement. It is inlined where it is called, so that a measurement is read where it lies:
  /// a copy of what was written a moment ago has to wait until it is written.
  /// - Complexity: O(1) per beat, amortised; allocates nothing once the window has its working size.
  @inlinable @inline(__always)
  public mutating func update(
    _ event: SessionEvent, emit: (BeatStream.Event) throws -> Void,
    measured: (StressMeasurement) throws -> Void
  ) rethrows {
    try Self.pass(event, through: &stream, into: &window, emit, measured)
  }

  /// The same for those who want the measurements alone.
  @inlinable @inline(__always)
  public mutating func update(
    _ event: SessionEvent, measured: (StressMeasurement) throws -> Void
  ) rethrows {
    try Self.pass(event, through: &stream, into: &window, { _ in }, measured)
  }

  /// Takes the two parts by themselves, so that one can be changed while the other is.
  @inlinable @inline(__always)
  static func pass(
    _ event: SessionEvent, through stream: inout BeatStream, into window: inout StressWindow,
    _ emit: (BeatStream.Event) throws -> Void, _ measured: (StressMeasurement) throws -> Void
  ) rethrows {
    let (arrival, wall) = (event.arrival, event.wall)
    try stream.update(event) { part in
      switch part {
      case .notification(let notification):
        if let arrival { window.append(notification, arrival: arrival) }
        try emit(part)
      case .beat(let beat):
        try emit(part)
        window.append(beat, wall: wall)
        try measured(window.measurement)
      case .gap, .undecodable:
        try emit(part)
      }
    }
  }
}

extension SessionEvent {
  /// When something arrived; text files have no such times.
  @inlinable @inline(__always)
  var arrival: SessionTime? {
    if case .notification = kind { at } else { nil }
  }
}
