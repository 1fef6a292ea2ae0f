public import HRV
public import HeartRate
public import Motion

/// Converts session events to measurements. Live sessions, replay, analysis and tests all use this type.
///
/// It is a value type without a clock or I/O. Equal events give equal results, bit for bit.
public struct StressEngine: Sendable {
  /// The version of classification, windows and scoring together. It is incremented whenever equal events can give a
  /// different result than before. Recordings, sessions and measurements state the version that computed them; those
  /// without one were computed by version 1.
  public static let version = 4

  public struct Settings: Equatable, Sendable {
    /// Length of the window, 30 s to 5 min.
    public var window: Duration
    public var metric: HRVMetric
    public var classification: BeatStream.Classification

    public init(
      window: Duration = .seconds(60), metric: HRVMetric = .rmssd,
      classification: BeatStream.Classification = .provisional
    ) {
      self.window = window
      self.metric = metric
      self.classification = classification
    }

    /// The supported window lengths.
    public static let windows: ClosedRange<Duration> = .seconds(30)...Duration.seconds(300)
  }

  public let settings: Settings
  public var baseline: Baseline { window.baseline }
  /// The type of RR intervals that the sensor sends, once it is known. It can change with each event.
  public var sensorClass: SensorClass? { window.sensorClass }
  @usableFromInline var stream: BeatStream
  @usableFromInline var window: StressWindow
  @usableFromInline var motion = MotionTracker()
  /// Verifies beats, in a session with an electrocardiogram for this purpose.
  @usableFromInline var ecg = ECGMonitor()
  /// The state of the verification. Absent without it. Inlined, because a call would copy the engine.
  @inlinable public var ecgStatus: ECGStatus? { ecg.isActive ? ecg.status : nil }

  public init(settings: Settings = Settings(), baseline: Baseline = .populationDefault) {
    self.settings = settings
    stream = BeatStream(classification: settings.classification)
    window = StressWindow(length: settings.window, metric: settings.metric, baseline: baseline)
  }

  /// Processes an event of the session. Passes its components to `emit`, in order, and the measurement of
  /// each beat to `measured`, immediately after the beat. Passes the features of each second of acceleration
  /// to `moved`.
  ///
  /// Measurements are large, so they have their own closure: as a case of the event type, they would make
  /// each notification and each beat as expensive to pass as a measurement. The function is inlined into the
  /// caller, so that a measurement is read in place: reading a copy right after writing it causes a
  /// store-forwarding stall.
  /// - Complexity: O(1) per beat, amortised; no allocation once the window has its working size.
  @inlinable @inline(__always)
  public mutating func update(
    _ event: SessionEvent, emit: (BeatStream.Event) throws -> Void,
    measured: (StressMeasurement) throws -> Void, moved: (MotionSecond) throws -> Void
  ) rethrows {
    if try Self.pass(event, through: &stream, into: &window, verifiedBy: &ecg, emit, measured) { return }
    _ = ecg.update(event)
    try motion.update(event) { second in
      window.append(second)
      try moved(second)
    }
  }

  /// Processes an event of the session, without passing on the features of acceleration.
  @inlinable @inline(__always)
  public mutating func update(
    _ event: SessionEvent, emit: (BeatStream.Event) throws -> Void,
    measured: (StressMeasurement) throws -> Void
  ) rethrows {
    try update(event, emit: emit, measured: measured, moved: { _ in })
  }

  /// Processes an event of the session and passes the measurements to `measured`.
  @inlinable @inline(__always)
  public mutating func update(
    _ event: SessionEvent, measured: (StressMeasurement) throws -> Void
  ) rethrows {
    try update(event, emit: { _ in }, measured: measured, moved: { _ in })
  }

  /// Takes the two parts separately, so that one can be modified while the other is borrowed.
  /// - Returns: Whether the event contained RR intervals or a heart rate; it then does not change the state of motion.
  @inlinable @inline(__always)
  static func pass(
    _ event: SessionEvent, through stream: inout BeatStream, into window: inout StressWindow,
    verifiedBy ecg: inout ECGMonitor, _ emit: (BeatStream.Event) throws -> Void,
    _ measured: (StressMeasurement) throws -> Void
  ) rethrows -> Bool {
    var hasIntervals = false
    let (arrival, wall) = (event.arrival, event.wall)
    try stream.update(event) { part in
      switch part {
      case .notification(let notification):
        hasIntervals = true
        if let arrival { window.append(notification, arrival: arrival) }
        try emit(part)
      case .beat(let beat):
        try emit(part)
        if ecg.isActive { window.verify(beat, with: &ecg) }
        window.append(beat, wall: wall)
        try measured(window.measurement)
      case .gap, .undecodable:
        try emit(part)
      }
    }
    return hasIntervals
  }
}

extension SessionEvent {
  /// Time of arrival. Intervals of text files have none.
  @inlinable @inline(__always)
  public var arrival: SessionTime? {
    switch kind {
    case .notification, .sensorFrame: at
    default: nil
    }
  }
}
