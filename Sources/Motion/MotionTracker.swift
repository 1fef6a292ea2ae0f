public import HeartRate

/// Derives the features of each second from the events of a session.
///
/// Equal events give equal features, live or replayed. Frames that cannot be decoded are ignored.
public struct MotionTracker: Sendable {
  private var clock = StrapClock()
  private var detector: MotionDetector?
  private var settings: SensorSettings?
  private var rate: Double?
  private var previous: (timestamp: UInt64, end: SessionTime)?

  public init() {}

  /// Processes an event and passes the features of each completed second to `emit`.
  /// - Complexity: O(samples of the event); no allocation once the stream runs.
  public mutating func update(_ event: SessionEvent, emit: (MotionSecond) throws -> Void) rethrows {
    switch event.kind {
    case .sensorFrame(let payload):
      guard SensorFrame.stream(of: payload) == .acceleration, let frame = try? SensorFrame(payload: payload)
      else { return }
      try update(frame, arrival: event.at, emit)
    case .stream(let change) where change.stream == .acceleration:
      start(change.state == .started ? change.settings : nil)
    case .link(let change) where change.state == .lost:
      start(nil)
    default: break
    }
  }

  /// Begins a new stream; the time before it does not count.
  private mutating func start(_ settings: SensorSettings?) {
    self.settings = settings
    rate = settings?.rate.map(Double.init)
    detector = rate.map { MotionDetector(rate: $0) }
    (clock, previous) = (StrapClock(), nil)
  }

  private mutating func update(
    _ frame: SensorFrame, arrival: SessionTime, _ emit: (MotionSecond) throws -> Void
  ) rethrows {
    let end = clock.update(timestamp: frame.timestamp, arrival: arrival)
    let period = period(of: frame)
    if let previous, end < previous.end { detector = rate.map { MotionDetector(rate: $0) } }
    previous = (frame.timestamp, end)
    if detector == nil, period > 0 { detector = MotionDetector(rate: 1 / period) }
    let step = Int64(period * Double(RRInterval.ticksPerSecond))
    var time = end.ticks - Int64(frame.count - 1) * step
    try frame.forEachAcceleration(factor: settings?.factor ?? 1) { sample in
      try detector?.update(sample, at: SessionTime(ticks: max(time, 0)), emit: emit)
      time += step
    }
  }

  /// Seconds between two samples: from the time since the previous frame, else from the nominal rate.
  private func period(of frame: SensorFrame) -> Double {
    let nominal = rate.map { 1 / $0 }
    guard let previous, frame.timestamp > previous.timestamp, frame.count > 0 else { return nominal ?? 0 }
    let measured = Double(frame.timestamp - previous.timestamp) * 1e-9 / Double(frame.count)
    guard let nominal else { return measured }
    return (measured / nominal - 1).magnitude < 0.1 ? measured : nominal
  }
}
