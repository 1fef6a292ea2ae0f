package import HeartRate

/// The electrocardiogram of a session: contiguous segments of samples.
package struct ECGSignal: Sendable {
  /// Samples without loss between them.
  package struct Segment: Sendable {
    /// In µV.
    package fileprivate(set) var samples: [Double] = []
    /// The number of samples up to the end of each frame, and the strap time of its last sample in seconds.
    fileprivate var frames: [(end: Int, time: Double)] = []
    /// Smallest difference between the arrival in session time and the strap time, in seconds.
    fileprivate var offset = Double.infinity
  }

  /// Nominal rate of the electrocardiogram of an H10 in Hz.
  private static let usualRate = 130.0
  /// Largest deviation of the time between two frames from that of their samples.
  private static let tolerance = 0.1

  /// Sampling rate in Hz.
  package private(set) var rate = usualRate
  package private(set) var segments: [Segment] = []
  private var origin: UInt64?

  package init() {}

  /// Length of all segments in seconds.
  package var seconds: Double { segments.reduce(0) { $0 + Double($1.samples.count) } / rate }

  /// Adds the samples of an event. Events without an electrocardiogram are ignored.
  package mutating func append(_ event: SessionEvent) {
    switch event.kind {
    case .sensorFrame(let payload):
      guard SensorFrame.stream(of: payload) == .ecg, let frame = try? SensorFrame(payload: payload),
        frame.count > 0
      else { return }
      append(frame, arrival: event.at.seconds)
    case .stream(let change) where change.stream == .ecg:
      rate = change.settings.rate.map(Double.init) ?? rate
    default: break
    }
  }

  private mutating func append(_ frame: SensorFrame, arrival: Double) {
    let origin = origin ?? frame.timestamp
    self.origin = origin
    let time = Double(Int64(bitPattern: frame.timestamp &- origin)) * 1e-9
    if !continues(frame, time) { segments.append(Segment()) }
    let last = segments.count - 1
    frame.forEachECG { segments[last].samples.append(Double($0)) }
    segments[last].frames.append((segments[last].samples.count, time))
    segments[last].offset = min(segments[last].offset, arrival - time)
  }

  /// Whether no sample is missing before the frame.
  private func continues(_ frame: SensorFrame, _ time: Double) -> Bool {
    guard let last = segments.last?.frames.last else { return false }
    let samples = (time - last.time) * rate
    return (samples - Double(frame.count)).magnitude <= Self.tolerance * Double(frame.count)
  }
}

extension ECGSignal.Segment {
  /// The session time of a position in samples, in seconds, from the times of the frames around it.
  /// - Parameter rate: the sampling rate in Hz, for the first frame.
  func time(at position: Double, rate: Double) -> Double {
    let next = frame(of: position)
    let (end, time) = (Double(frames[next].end - 1), frames[next].time)
    guard next > 0 else { return offset + time - (end - position) / rate }
    let period = (time - frames[next - 1].time) / Double(frames[next].end - frames[next - 1].end)
    return offset + time - (end - position) * period
  }

  /// The index of the first frame that ends at `position` or later.
  private func frame(of position: Double) -> Int {
    var (low, high) = (0, frames.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if Double(frames[middle].end - 1) < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
