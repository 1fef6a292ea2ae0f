import HRV
import TestSupport
import Testing

@Suite struct RPeakDetectorTests {
  /// Five minutes at about 70 bpm with respiratory variation, and two premature beats.
  private static let peaks: [Double] = {
    var times = [1.2]
    while times[times.count - 1] < 298 {
      let time = times[times.count - 1]
      let rr = 0.86 + 0.05 * respiration(time)
      times.append(time + (times.count == 60 || times.count == 200 ? 0.55 : rr))
    }
    return times
  }()

  private static func respiration(_ time: Double) -> Double {
    let phase = (time / 4).truncatingRemainder(dividingBy: 1)
    return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
  }

  private func errors(_ ecg: SyntheticECG) -> (missed: Int, extra: Int, milliseconds: [Double]) {
    let samples = ecg.samples(peaks: Self.peaks, seconds: 300)
    let found = RPeakDetector(rate: 130).peaks(in: samples).map { $0 / 130 }
    let errors = Self.peaks.compactMap { peak in
      found.map { 1000 * ($0 - peak) }.min { $0.magnitude < $1.magnitude }.flatMap {
        $0.magnitude < 50 ? $0 : nil
      }
    }
    return (Self.peaks.count - errors.count, found.count - errors.count, errors)
  }

  @Test func everyPeakOfACleanSignalIsFoundWithinTwoMilliseconds() {
    let errors = errors(SyntheticECG())
    #expect(errors.missed == 0 && errors.extra == 0)
    #expect(errors.milliseconds.allSatisfy { $0.magnitude <= 4 })
    let mean = errors.milliseconds.reduce(0, +) / Double(errors.milliseconds.count)
    #expect(errors.milliseconds.allSatisfy { ($0 - mean).magnitude <= 2 })
  }

  @Test func invertedSignalGivesTheSamePeaks() {
    var inverted = SyntheticECG()
    inverted.isInverted = true
    #expect(errors(inverted).milliseconds == errors(SyntheticECG()).milliseconds)
  }

  @Test func peaksAreFoundWithWanderHumAndMuscleNoise() {
    var noisy = SyntheticECG()
    (noisy.wander, noisy.hum, noisy.noise) = (500, 80, 50)
    let errors = errors(noisy)
    #expect(errors.missed == 0 && errors.extra == 0)
    let absolute = errors.milliseconds.map(\.magnitude).reduce(0, +) / Double(errors.milliseconds.count)
    #expect(absolute <= 5)
  }

  @Test func signalWithoutBeatsHasNoPeaks() {
    let detector = RPeakDetector(rate: 130)
    #expect(detector.peaks(in: []).isEmpty)
    #expect(detector.peaks(in: [Double](repeating: 700, count: 1000)).isEmpty)
    #expect(detector.peaks(in: [1, 2]).isEmpty)
  }
}
