import HeartRate

/// Places the samples of a track on a regular grid of its nominal rate, as files with a sampling rate require.
///
/// Each grid point within a segment has the value of the nearest sample, unchanged. If the strap's rate deviates from the
/// nominal rate by a fraction d, one sample in 1/d is repeated or omitted. Grid points outside of the segments have no value.
struct GridSampler {
  private let track: SensorTrack
  private var frames: FrameSequence
  /// Session time of grid point 0, in seconds.
  private let origin: Double
  /// Index of the first grid point that has no value yet.
  private var next: Int64 = .min
  private var segment = -1

  init(_ track: SensorTrack, origin: Double) {
    (self.track, self.origin) = (track, origin)
    frames = FrameSequence(track.stream)
  }

  /// Passes the index and the values of each grid point that the event determines to `emit`, in ascending order.
  mutating func update(
    _ event: SessionEvent, emit: (_ index: Int64, _ values: SIMD3<Double>) throws -> Void
  ) rethrows {
    guard let (frame, time, period) = frames.update(event), track.segments.indices.contains(frames.segment)
    else { return }
    let values = Self.values(frame, factor: frames.factor)
    let offset = track.segments[frames.segment].offset - origin
    let first = time - Double(values.count - 1) * period + offset
    let rate = Double(track.rate)
    guard let low = Int64(exactly: ((first - period / 2) * rate).rounded(.up)),
      let high = Int64(exactly: ((time + offset + period / 2) * rate).rounded(.down))
    else { return }
    let begin = frames.segment == segment ? next : max(next, low)
    segment = frames.segment
    // A segment continues at the grid point after the latest one, unless the times do not allow it.
    guard begin <= high, high - begin <= Int64(4 * values.count) else { return }
    for index in begin...high {
      let place = ((Double(index) / rate - first) / period).rounded()
      try emit(index, values[Int(min(max(place, 0), Double(values.count - 1)))])
    }
    next = high + 1
  }

  /// The samples of a frame; the electrocardiogram in the first component.
  private static func values(_ frame: SensorFrame, factor: Double) -> [SIMD3<Double>] {
    var values: [SIMD3<Double>] = []
    values.reserveCapacity(frame.count)
    frame.forEachECG { values.append(SIMD3(Double($0), 0, 0)) }
    frame.forEachAcceleration(factor: factor) { values.append(SIMD3($0.x, $0.y, $0.z)) }
    return values
  }
}

/// Samples the tachogram on a regular grid: the value at a time is the RR interval that contains it.
struct TachogramSampler {
  private let chain: RPeakChain
  private let rate: Int
  private var place = 0

  init(_ chain: RPeakChain, rate: Int) { (self.chain, self.rate) = (chain, rate) }

  /// The interval, if any, at grid point `index`, which begins after its first peak. Indices must ascend.
  mutating func interval(at index: Int64) -> RRInterval? {
    let time = SessionTime(ticks: index * (RRInterval.ticksPerSecond / Int64(rate)))
    while place < chain.peaks.count, chain.peaks[place].at < time { place += 1 }
    guard place > 0, place < chain.peaks.count, chain.peaks[place].verdict != nil else { return nil }
    return RRInterval(ticks: chain.peaks[place].at.ticks - chain.peaks[place - 1].at.ticks)
  }

  /// The interval in units of 0.25 ms; 0 outside of intervals and for intervals above 8191.75 ms.
  mutating func digital(at index: Int64) -> Int16 {
    guard let rr = interval(at: index) else { return 0 }
    let unit = RRInterval.ticksPerMillisecond / EDFSignal.tachogramScale
    return Int16(exactly: (rr.ticks + unit / 2) / unit) ?? 0
  }
}
