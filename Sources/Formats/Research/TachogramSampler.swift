import HeartRate

/// Samples the tachogram on a regular grid: the value at a time is the RR interval that contains it.
struct TachogramSampler {
  private let chain: RPeakChain
  private let rate: Int
  private var place = 0

  init(_ chain: RPeakChain, rate: Int) { (self.chain, self.rate) = (chain, rate) }

  /// The interval at grid point `index`, which begins after its first peak; nil outside of intervals. Indices must ascend.
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
