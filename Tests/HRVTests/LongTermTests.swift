import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct LongTermTests {
  private func segments(_ milliseconds: [Double]) -> NNSegments {
    NNSegments(raw: milliseconds.map { RRInterval(ticks: Int64($0 * 80_000)) })
  }

  /// Bins of 7.8125 ms: 781.25 ms is the start of bin 100.
  private static func values(_ counts: [Int]) -> [Double] {
    counts.enumerated().flatMap { Array(repeating: 781.25 + 7.8125 * Double($0) + 1, count: $1) }
  }

  @Test func triangularIndexIsTheNumberOfIntervalsOverTheFullestBin() {
    let measures = GeometricMeasures(segments(Self.values([10, 30, 60, 30, 10])))
    #expect(agree(measures.triangularIndex.value, 140.0 / 60, 1e-12))
  }

  /// A histogram that is a triangle: heights 20, 40, 60, 40, 20 reach 0 three bins from the peak on both sides.
  @Test func tinnOfATriangleIsItsBase() {
    let measures = GeometricMeasures(segments(Self.values([20, 40, 60, 40, 20])))
    #expect(agree(measures.tinn.value, 6 * 7.8125, 1e-12))
  }

  @Test func tinnOfAnAsymmetricTriangleIsTheSumOfBothSides() {
    // Left: 40 at one bin, then 20; 0 at three. Right: 48, 36, 24, 12, 0 at five.
    let measures = GeometricMeasures(segments(Self.values([20, 40, 60, 48, 36, 24, 12])))
    #expect(agree(measures.tinn.value, 8 * 7.8125, 1e-12))
  }

  @Test func anOutlierChangesTheTriangularIndexOnlyByItsNumber() {
    let usual = GeometricMeasures(segments(Self.values([10, 30, 60, 30, 10])))
    let disturbed = GeometricMeasures(segments(Self.values([10, 30, 60, 30, 10]) + [1700]))
    #expect(agree(disturbed.triangularIndex.value, (usual.triangularIndex.value ?? 0) * 141 / 140, 1e-12))
  }

  @Test func fewIntervalsAndEqualIntervalsHaveNoGeometricMeasures() {
    #expect(
      GeometricMeasures(segments(Self.values([99]))).triangularIndex.absence
        == .tooFewBeats(found: 99, needed: 100))
    #expect(GeometricMeasures(segments(Self.values([120]))).tinn.absence == .unchanging)
  }

  /// Periods of 300 s with intervals of 1000 +- 10, 600 +- 20 and 1200 +- 5 ms in alternation.
  @Test func sdannAndSdnnIndexEqualTheValuesOfTheirDefinition() throws {
    func period(_ mean: Double, _ deviation: Double) -> [Double] {
      (0..<Int(300_000 / mean)).map { mean + ($0 % 2 == 0 ? deviation : -deviation) }
    }
    let statistics = FiveMinuteStatistics(
      segments(period(1000, 10) + period(600, 20) + period(1200, 5) + period(900, 50).prefix(100)))
    // Means 1000, 600, 1200; squared deviations 40,000 / 9, 1,000,000 / 9 and 640,000 / 9.
    #expect(agree(statistics.sdann.value, (280_000.0 / 3).squareRoot(), 1e-9))
    func sdnn(_ deviation: Double, _ count: Double) -> Double {
      deviation * (count / (count - 1)).squareRoot()
    }
    let expected = (sdnn(10, 300) + sdnn(20, 500) + sdnn(5, 250)) / 3
    #expect(agree(statistics.sdnnIndex.value, expected, 1e-9))
  }

  @Test func periodsAreTooFewBelowThree() {
    let statistics = FiveMinuteStatistics(segments(Array(repeating: 1000, count: 899)))
    #expect(statistics.sdann.absence == .tooFewPeriods(found: 2, needed: 3))
  }

  @Test func aPeriodThatIsMostlyMissingDoesNotCount() {
    var beats = SyntheticBeats.sine(0.1, amplitude: 30, seconds: 1500)
    beats.removeAll { (310.0..<590).contains($0.end.seconds) }
    let (all, some) = (
      FiveMinuteStatistics(NNSegments(SyntheticBeats.sine(0.1, amplitude: 30, seconds: 900))),
      FiveMinuteStatistics(NNSegments(beats))
    )
    #expect(all.sdann.value != nil && some.sdann.value != nil)
    beats.removeAll { $0.end.seconds > 310 && $0.end.seconds < 890 }
    beats.removeAll { $0.end.seconds > 1210 }
    #expect(FiveMinuteStatistics(NNSegments(beats)).sdann.absence == .tooFewPeriods(found: 2, needed: 3))
  }

  /// 20 h of beats of about 1 s with a sine of each frequency in Hz and its amplitude in ms.
  private func day(_ sines: [(frequency: Double, amplitude: Double)], hours: Double = 20) -> NNSegments {
    var (time, intervals) = (0.0, [Double]())
    while time < hours * 3600 {
      let rr = 1000 + sines.reduce(0) { $0 + $1.amplitude * .sin(2 * .pi * $1.frequency * time) }
      intervals.append(rr)
      time += rr / 1000
    }
    return segments(intervals)
  }

  /// A sine of amplitude a has the power a^2 / 2. Sines above 0.0033 Hz are not part of ULF.
  @Test func ultraLowFrequencyPowerOfASineIsThatOfItsAmplitude() throws {
    let frequency = 1 / 14_400.0
    let one = try #require(UltraLowFrequency(day([(frequency, 80)])).power.value)
    #expect(agree(one, 3200, 0.02), "\(one)")
    let two = try #require(UltraLowFrequency(day([(frequency, 80), (0.001, 30)])).power.value)
    #expect(agree(two, 3650, 0.02), "\(two)")
    let others = try #require(
      UltraLowFrequency(day([(frequency, 80), (0.01, 60), (0.1, 60), (0.25, 60)])).power.value)
    #expect(agree(others, 3200, 0.02), "\(others)")
  }

  @Test func ultraLowFrequencyPowerRequires18Hours() {
    #expect(
      UltraLowFrequency(day([(0.001, 30)], hours: 17)).power.absence
        == .tooFewPeriods(found: 204, needed: 216))
    #expect(UltraLowFrequency(NNSegments()).power.value == nil)
  }

  /// Regression: entropies of a day were those of its first 10,000 beats.
  @Test func entropiesUseAllBeats() throws {
    let even = (0..<10_000).map { 1000 + Double($0 % 2) }
    var numbers = SeededGenerator(seed: 1)
    let noise = (0..<4000).map { _ in 1000 + Double.random(in: 0..<2, using: &numbers) }
    let first = try #require(SampleEntropy().entropy(of: segments(even)).value)
    let all = try #require(SampleEntropy().entropy(of: segments(even + noise)).value)
    #expect(all > first + 0.01, "\(first), \(all)")
    var limited = SampleEntropy()
    limited.limit = 1000
    #expect(
      limited.entropy(of: segments(even)).absence == .tooManyBeats(found: 10_000, limit: 1000))
    var approximate = ApproximateEntropy()
    approximate.limit = 1000
    #expect(
      approximate.entropy(of: segments(even)).absence == .tooManyBeats(found: 10_000, limit: 1000))
  }
}
