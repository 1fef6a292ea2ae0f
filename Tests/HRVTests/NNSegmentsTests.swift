import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

struct NNSegmentsTests {
  private func beats(_ text: [(Double, Verdict, Bool)]) -> [Beat] {
    var end = SessionTime.zero
    return text.compactMap { milliseconds, verdict, followsBreak in
      guard let rr = RRInterval(milliseconds: milliseconds) else { return nil }
      end = end + rr
      return Beat(end: end, rr: rr, verdict: verdict, followsBreak: followsBreak)
    }
  }

  @Test("An artefact ends a run, and a gap ends a stretch")
  func runsAndStretches() {
    let segments = NNSegments(
      beats([
        (800, .normal, true), (810, .normal, false), (500, .ectopic, false), (1100, .ectopic, false),
        (820, .normal, false), (4000, .gap, false), (830, .normal, true), (840, .normal, false),
        (850, .normal, true),
      ]))
    #expect(segments.runs == [0..<2, 2..<3, 3..<5, 5..<6])
    #expect(segments.stretches == [0..<3, 3..<5, 5..<6])
    #expect(segments.duration(of: 0..<3) == 4.03)
  }

  @Test("Intervals of zero or more than 10 s end segments also without classification")
  func implausibleIntervals() {
    let lengths = [800.0, 0, 810, 10_000, 10_001, 820].compactMap(RRInterval.init(milliseconds:))
    let segments = NNSegments(raw: lengths)
    #expect(segments.count == 4)
    #expect(segments.runs == [0..<1, 1..<3, 3..<4])
    #expect(segments.stretches == [0..<3, 3..<4])
  }

  @Test("Arbitrary beats give finite metrics or reasons", arguments: 0..<60)
  func arbitraryBeats(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let lengths: [Double] = [0, 0.0001, 300, 800, 1000, 9999, 65_000, 80_000_000]
    var end: Int64 = 0
    let beats = (0..<Int.random(in: 0...400, using: &generator)).map { _ -> Beat in
      let milliseconds = lengths.randomElement(using: &generator) ?? 0
      let rr = RRInterval(
        ticks: Int64((milliseconds + Double.random(in: 0...99, using: &generator)) * 80_000))
      end += Bool.random(using: &generator) ? rr.ticks : 0
      let verdict = Verdict.allCases.randomElement(using: &generator) ?? .normal
      return Beat(
        end: SessionTime(ticks: end), rr: rr, verdict: seed % 2 == 0 ? .normal : verdict,
        followsBreak: seed % 3 == 0 && Bool.random(using: &generator))
    }
    let segments = NNSegments(beats)
    let (lomb, welch) = (SpectralBands(lombScargle: segments), SpectralBands(welch: segments))
    let bands: [Metric] = [lomb, welch].flatMap { bands in
      [bands.vlf, bands.lf, bands.hf, bands.total, bands.lfHF, bands.lfNormalised, bands.hfNormalised]
    }
    let others: [Metric] = [
      RespirationRate(segments).rate, FluctuationAnalysis().exponent(of: segments),
      SampleEntropy().entropy(of: segments), StressIndex(segments).value,
    ]
    for metric in bands + others {
      #expect(metric.value?.isFinite ?? (metric.absence?.description.isEmpty == false))
    }
  }
}

struct AbsenceTests {
  private func noise(_ seconds: Double) -> NNSegments {
    var generator = SeededGenerator(seed: 15)
    return NNSegments(SyntheticBeats.noise(seconds: seconds, &generator))
  }

  @Test("Every metric gives its reason without beats")
  func empty() {
    let segments = NNSegments()
    #expect(SpectralBands(lombScargle: segments).hf == .absent(.tooShort(found: 0, needed: 60)))
    #expect(SpectralBands(welch: segments).lfHF == .absent(.tooShort(found: 0, needed: 60)))
    #expect(RespirationRate(segments).rate == .absent(.tooShort(found: 0, needed: 60)))
    #expect(FluctuationAnalysis().exponent(of: segments) == .absent(.tooFewBeats(found: 0, needed: 160)))
    #expect(SampleEntropy().entropy(of: segments) == .absent(.tooFewBeats(found: 0, needed: 100)))
    #expect(StressIndex(segments).value == .absent(.tooFewBeats(found: 0, needed: 100)))
  }

  @Test("A frequency band requires its minimum duration")
  func short() throws {
    let oneMinute = SpectralBands(lombScargle: noise(61))
    #expect(oneMinute.hf.value != nil)
    #expect(SpectralBands(lombScargle: noise(58.5)).hf.value != nil, "up to 5 % less suffice")
    #expect(SpectralBands(lombScargle: noise(56)).hf.value == nil)
    guard case .absent(.tooShort(let found, 120)) = oneMinute.lf else {
      Issue.record("unexpected LF of one minute")
      return
    }
    #expect((60..<62).contains(found))
    #expect(oneMinute.lfHF == oneMinute.lf && oneMinute.lfNormalised == oneMinute.lf)
    let twoMinutes = SpectralBands(lombScargle: noise(121))
    #expect(twoMinutes.lfHF.value != nil && twoMinutes.vlf.value == nil && twoMinutes.total.value == nil)
    #expect(SpectralBands(lombScargle: noise(271)).total.value != nil)
  }

  @Test("Equal intervals have no spectrum, scaling exponent or entropy")
  func unchanging() {
    let beats = SyntheticBeats.series(seconds: 400) { _ in 900 }
    let segments = NNSegments(beats)
    let metrics = [
      SpectralBands(lombScargle: segments).hf, SpectralBands(welch: segments).hf,
      RespirationRate(segments).rate,
      FluctuationAnalysis().exponent(of: segments), SampleEntropy().entropy(of: segments),
      StressIndex(segments).value,
    ]
    for metric in metrics { #expect(metric == .absent(.unchanging)) }
  }

  @Test("Two constant levels have a power of zero and no ratio")
  func undefined() {
    let pieces = [812.3456, 911.1111].map { level in SyntheticBeats.series(seconds: 400) { _ in level } }
    let bands = SpectralBands(lombScargle: NNSegments(SyntheticBeats.joined(pieces)))
    #expect((bands.hf.value ?? 1) < 1e-12)
    #expect(bands.lfHF == .absent(.undefined))
  }

  @Test("Too many artefacts give no spectrum")
  func sparse() {
    var beats = SyntheticBeats.sine(0.1, amplitude: 40, seconds: 400)
    for index in beats.indices where index % 3 == 1 { beats[index].verdict = .ectopic }
    guard case .absent(.tooSparse(let found, 0.8)) = SpectralBands(lombScargle: NNSegments(beats)).hf else {
      Issue.record("unexpected spectrum")
      return
    }
    #expect(abs(found - 0.667) < 0.02)
  }

  @Test("Patterns without a match give no entropy")
  func noMatches() {
    // Each interval exceeds all previous ones by more than r, so that no two match.
    let lengths = (0..<120).compactMap { RRInterval(milliseconds: 300 * Double.exp2(Double($0) / 40)) }
    var strict = SampleEntropy()
    strict.tolerance = 1e-4
    #expect(strict.entropy(of: NNSegments(raw: lengths)) == .absent(.noMatches))
  }

  @Test(
    "Reasons are described as text",
    arguments: [
      (Absence.tooFewBeats(found: 42, needed: 100), "42 normal beats, 100 needed"),
      (.tooShort(found: 59.99, needed: 60), "longest stretch without a gap 59.9 s, 60 s needed"),
      (.tooSparse(found: 0.5, needed: 0.8), "normal beats cover 50 %, 80 % needed"),
      (.unchanging, "all intervals are equal"), (.noMatches, "no two patterns match"),
      (.undefined, "not defined for these intervals"),
      (.noPeak, "no peak in the respiratory band"),
      (.weakPeak(found: 0.3, needed: 0.5), "the peak holds 30 % of its band, 50 % needed"),
      (.harmonic(of: 6), "the peak may be a harmonic of breathing at 6 a minute"),
    ])
  func descriptions(absence: Absence, text: String) { #expect(absence.description == text) }
}
