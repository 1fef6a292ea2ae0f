import HeartRate

/// A recorded sensor stream as segments without loss.
///
/// Samples have times of the strap's clock. All times of a segment are shifted by the same offset, the smallest difference
/// between the arrival of a frame and the time of its last sample. RR intervals are in the strap's clock too, so a segment
/// and the beats of its run do not drift apart.
struct SensorTrack: Sendable {
  struct Segment: Sendable {
    /// Session time of the strap time 0 of the track, in seconds.
    fileprivate(set) var offset: Double
    /// Strap time of the first and of the last sample, in seconds since the first frame.
    fileprivate(set) var first: Double
    fileprivate(set) var last: Double

    /// Session times of the first and of the last sample, in seconds.
    var times: ClosedRange<Double> { (first + offset)...max(first + offset, last + offset) }
  }

  let stream: SensorStream
  /// Nominal sampling rate in Hz.
  let rate: Int
  let segments: [Segment]

  var channels: Int { stream == .ecg ? 1 : 3 }
  /// Column names, and labels without the name of the stream.
  var channelNames: [String] { stream == .ecg ? ["ecg"] : ["acc_x", "acc_y", "acc_z"] }
  /// The unit of the samples, in ASCII.
  var unit: String { stream == .ecg ? "uV" : "mg" }
}

/// Assigns frames of one stream to segments.
struct FrameSequence: Sendable {
  let stream: SensorStream
  private var origin: UInt64?
  private var last: (time: Double, rate: Double)?
  /// Factor of compressed samples.
  private(set) var factor = 1.0
  private(set) var rate: Int?
  /// Index of the segment of the latest frame; -1 before the first.
  private(set) var segment = -1

  /// Largest deviation of the time between two frames from that of their samples, as a fraction.
  private static let tolerance = 0.1
  private static let usualRates: [SensorStream: Int] = [.ecg: 130, .acceleration: 50]
  private static let plausibleRates = 1...2000

  init(_ stream: SensorStream) { self.stream = stream }

  /// The frame of an event of this stream, with the strap time of its last sample in seconds and the time between samples.
  /// Returns `nil` for all other events.
  mutating func update(_ event: SessionEvent) -> (frame: SensorFrame, time: Double, period: Double)? {
    switch event.kind {
    case .stream(let change) where change.stream == stream && change.state == .started:
      if let stated = change.settings.rate, Self.plausibleRates.contains(stated) { rate = rate ?? stated }
      if change.settings.factor.isFinite { factor = change.settings.factor }
    case .sensorFrame(let payload) where SensorFrame.stream(of: payload) == stream:
      guard let frame = try? SensorFrame(payload: payload), frame.count > 0 else { return nil }
      return place(frame)
    default: break
    }
    return nil
  }

  private mutating func place(_ frame: SensorFrame) -> (frame: SensorFrame, time: Double, period: Double) {
    let origin = origin ?? frame.timestamp
    self.origin = origin
    let time = Double(Int64(bitPattern: frame.timestamp &- origin)) * 1e-9
    let nominal = 1 / Double(rate ?? Self.usualRates[frame.stream] ?? 50)
    let expected = nominal * Double(frame.count)
    defer { last = (time, nominal) }
    guard let last, ((time - last.time) - expected).magnitude <= Self.tolerance * expected else {
      segment += 1
      return (frame, time, nominal)
    }
    return (frame, time, (time - last.time) / Double(frame.count))
  }

  /// The rate of the stream in Hz: the stated one, else the usual one.
  var nominalRate: Int { rate ?? Self.usualRates[stream] ?? 50 }
}

/// Finds the recorded sensor streams and their segments.
struct SensorSurvey {
  private var sequences = [FrameSequence(.ecg), FrameSequence(.acceleration)]
  private var segments: [[SensorTrack.Segment]] = [[], []]

  mutating func update(_ event: SessionEvent) {
    for place in sequences.indices {
      guard let (frame, time, period) = sequences[place].update(event) else { continue }
      let offset = event.at.seconds - time
      if sequences[place].segment == segments[place].count {
        let first = time - Double(frame.count - 1) * period
        segments[place].append(SensorTrack.Segment(offset: offset, first: first, last: time))
      } else {
        let last = segments[place].count - 1
        segments[place][last].last = time
        segments[place][last].offset = min(segments[place][last].offset, offset)
      }
    }
  }

  var tracks: [SensorTrack] {
    sequences.indices.filter { !segments[$0].isEmpty }.map {
      SensorTrack(stream: sequences[$0].stream, rate: sequences[$0].nominalRate, segments: segments[$0])
    }
  }
}
