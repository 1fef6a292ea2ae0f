package import HeartRate

/// A session of two minutes of a simulated H10: notifications with RR intervals, and frames of a ``SyntheticECG``.
package enum ECGSession {
  private static let (rate, samplesPerFrame, seconds) = (130.0, 73, 120.0)
  /// 2019-01-01 in nanoseconds since 2000-01-01.
  private static let clockStart: UInt64 = 599_616_000_000_000_000

  /// R peaks in seconds, with an RR interval that varies with respiration and from beat to beat.
  package static let peaks: [Double] = {
    var (times, random) = ([0.7], SeededGenerator(seed: 1))
    while times[times.count - 1] < 118 {
      let phase = (times[times.count - 1] / 4.3).truncatingRemainder(dividingBy: 1)
      let variation =
        0.12 * (phase < 0.5 ? phase : 1 - phase) + Double.random(in: -0.02...0.02, using: &random)
      times.append(times[times.count - 1] + 0.84 + variation)
    }
    return times
  }()

  /// The events: each beat of `detected` arrives 1.5 s late. The electrocardiogram has the R peaks `actual`.
  package static func events(
    _ detected: [Double] = peaks, actual: [Double] = peaks, ecg: SyntheticECG = SyntheticECG()
  ) -> [SessionEvent] {
    (notifications(detected) + frames(ecg, actual)).sorted { $0.at < $1.at }
  }

  private static func notifications(_ peaks: [Double]) -> [SessionEvent] {
    zip(peaks, peaks.dropFirst()).map { before, peak in
      let rr = UInt16(((peak - before) * 1024).rounded())
      return SessionEvent(
        at: SessionTime(seconds: peak + 1.5)!,
        .notification(payload: [0x10, 70, UInt8(rr & 0xFF), UInt8(rr >> 8)]))
    }
  }

  private static func frames(_ ecg: SyntheticECG, _ peaks: [Double]) -> [SessionEvent] {
    let samples = ecg.samples(peaks: peaks, seconds: seconds, rate: rate).map { Int32($0.rounded()) }
    return stride(from: samplesPerFrame, through: samples.count, by: samplesPerFrame).map { end in
      let payload = SensorFrame.encoded(
        ecg: Array(samples[end - samplesPerFrame..<end]),
        timestamp: clockStart + UInt64(Double(end - 1) / rate * 1e9))
      return SessionEvent(
        at: SessionTime(seconds: Double(end) / rate + 0.05)!, .sensorFrame(payload: payload))
    }
  }
}
