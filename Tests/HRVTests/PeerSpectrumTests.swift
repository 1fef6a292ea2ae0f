import HeartRate
import TestSupport
import Testing

@testable import HRV

/// Spectra of other programs, computed with their settings, which docs/reference/metrics.md lists.
@Suite(.enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"))
struct PeerSpectrumTests {
  static let peerTolerance = 1e-6

  /// NeuroKit2: quadratic interpolation, Hann, windows of half the recording, zero-padded to twice the
  /// length; frequencies below 4 rate / samples omitted; trapezoidal rule; a single frequency in a band has
  /// no power.
  private func neurokit(_ segments: NNSegments, rate: Double) throws -> [String: Double] {
    var welch = Welch()
    welch.rate = rate
    welch.interpolation = .quadratic
    welch.detrending = .run
    welch.holdsLastValue = true
    let samples = welch.longestSampleCount(segments)
    let lowest = 2 * rate / (Double(samples) / 2)
    welch.windowLength = min(Int(2 / lowest * rate), samples / 2)
    welch.fftLength = 2 * welch.windowLength
    return neurokitBands(try welch.spectrum(of: segments), lowest: lowest)
  }

  private func neurokitBands(_ spectrum: PowerSpectrum, lowest: Double, scale: Double = 1) -> [String: Double]
  {
    let edges = [0, 0.0033, 0.04, 0.15, 0.4, 0.5]
    let powers = zip(edges, edges.dropFirst()).map { low, high in
      low < high && lowest < high ? scale * spectrum.power(in: max(low, lowest)..<high, by: .trapezoid) : 0
    }
    return [
      "vlf": powers[1], "lf": powers[2], "hf": powers[3], "lf_hf": powers[2] / powers[3],
      "tp": powers.reduce(0, +),
    ]
  }

  private func expect(_ values: [String: Double], meet expected: JSONValue?) throws {
    let expected = try #require(expected)
    for (key, value) in values {
      let wanted = expected[key]?.number
      #expect(
        agree(value, wanted, Self.peerTolerance), "\(key): \(value), wanted \(String(describing: wanted))")
    }
  }

  @Test("Welch power of complete recordings equals NeuroKit2", arguments: SharedData.recordings)
  func neurokitWhole(recording: String) throws {
    let reference = try PeerReference.whole(recording)
    try expect(try neurokit(reference.segments, rate: 4), meet: reference.neurokit?["nk_freq_welch_4Hz"])
  }

  @Test(
    "Welch power of complete recordings resampled at 100 Hz equals NeuroKit2",
    arguments: ["rest_supine", "exercise_ectopics", "mitdb100_apc", "h10_walk_run"])
  func neurokitWhole100(recording: String) throws {
    let reference = try PeerReference.whole(recording)
    try expect(
      try neurokit(reference.segments, rate: 100), meet: reference.neurokit?["nk_freq_welch_default100Hz"])
  }

  @Test("Welch power of five minutes equals NeuroKit2", arguments: SharedData.recordings)
  func neurokitFiveMinutes(recording: String) throws {
    let reference = try PeerReference.fiveMinutes(recording)
    try expect(try neurokit(reference.segments, rate: 4), meet: reference.neurokit?["nk_welch_4Hz"])
    try expect(
      try neurokit(reference.segments, rate: 100), meet: reference.neurokit?["nk_welch_default100Hz"])
  }

  /// astropy's "psd" normalisation: half the number of values multiplied by the power of the best sine, at
  /// frequencies from `lowest` in steps of a fifth of the reciprocal of the duration.
  private func lomb(_ segments: NNSegments, lowest: Double, highest: Double) -> PowerSpectrum {
    let times = segments.ends.map { NNSegments.seconds($0) }
    let values = segments.lengths.map { NNSegments.milliseconds($0) }
    let duration = times[times.count - 1] - times[0]
    let count = 1 + Int(((highest - lowest) * 5 * duration).rounded(.toNearestOrEven))
    let frequencies = FrequencyGrid(first: lowest, perHertz: 5 * duration, count: count)
    let weight = 1 / Double(times.count)
    let power = Periodogram(frequencies)(times: times, values: values, weights: times.map { _ in weight })
    return PowerSpectrum(
      frequencies: frequencies, density: power.map { $0 * Double(times.count) / 2 }, windowLength: duration,
      windows: 1)
  }

  @Test("Lomb-Scargle power of five minutes equals NeuroKit2", arguments: SharedData.recordings)
  func neurokitLomb(recording: String) throws {
    let reference = try PeerReference.fiveMinutes(recording)
    let lengths = reference.segments.lengths.dropFirst().sorted()
    let median =
      NNSegments.seconds(Int64(lengths[lengths.count / 2]) + Int64(lengths[(lengths.count - 1) / 2])) / 2
    let lowest = 2 * median / (Double(lengths.count + 1) / 2)
    let spectrum = lomb(reference.segments, lowest: lowest, highest: 0.6)
    try expect(neurokitBands(spectrum, lowest: lowest), meet: reference.neurokit?["nk_lomb"])
  }

  private func hrvAnalysisBands(_ spectrum: PowerSpectrum) -> [String: Double] {
    let (vlf, lf, hf) = (
      spectrum.power(in: 0.003..<0.04, by: .trapezoid), spectrum.power(in: 0.04..<0.15, by: .trapezoid),
      spectrum.power(in: 0.15..<0.4, by: .trapezoid)
    )
    return [
      "vlf": vlf, "lf": lf, "hf": hf, "lf_hf_ratio": lf / hf, "lfnu": 100 * lf / (lf + hf),
      "hfnu": 100 * hf / (lf + hf), "total_power": vlf + lf + hf,
    ]
  }

  /// hrv-analysis: linear interpolation, Hann, windows of 64 s, zero-padded to 4096; trapezoidal rule from
  /// 0.003 Hz.
  private func hrvAnalysisWelch() -> Welch {
    var welch = Welch()
    welch.interpolation = .linear
    welch.windowLength = 256
    welch.fftLength = 4096
    return welch
  }

  private func expectHRVAnalysis(_ reference: PeerReference) throws {
    let expected = try #require(reference.hrvAnalysis?["freq"])
    let welch = try hrvAnalysisWelch().spectrum(of: reference.segments)
    try expect(hrvAnalysisBands(welch), meet: expected["welch"])
    try expect(
      hrvAnalysisBands(lomb(reference.segments, lowest: 0.003, highest: 0.4)), meet: expected["lomb"])
  }

  @Test(
    "Welch and Lomb-Scargle power of complete recordings equal hrv-analysis",
    arguments: ["rest_supine", "exercise_ectopics", "mitdb100_apc", "h10_walk_run"])
  func hrvAnalysisWhole(recording: String) throws {
    try expectHRVAnalysis(try PeerReference.whole(recording))
  }

  @Test("Welch and Lomb-Scargle power of five minutes equal hrv-analysis", arguments: SharedData.recordings)
  func hrvAnalysisFiveMinutes(recording: String) throws {
    try expectHRVAnalysis(try PeerReference.fiveMinutes(recording))
  }

  /// pyHRV: cubic interpolation, Hamming, windows of 300 samples from 300 s, otherwise of 4096, zero-padded
  /// to 4096; sums, VLF from 0 Hz.
  private func expectPyHRV(_ reference: PeerReference) throws {
    var welch = Welch()
    welch.taper = .hamming
    let seconds = NNSegments.seconds(reference.segments.lengths.dropFirst().reduce(0) { $0 + Int64($1) })
    welch.windowLength = seconds < 300 ? 4096 : 300
    welch.fftLength = 4096
    let spectrum = try welch.spectrum(of: reference.segments)
    let expected = try #require(reference.pyhrv?["freq"]?["welch"])
    let powers = [0..<0.04, 0.04..<0.15, 0.15..<0.4].map { spectrum.power(in: $0) }
    for (index, power) in powers.enumerated() {
      #expect(
        agree(power, expected["fft_abs"]?.numbers?[index], Self.peerTolerance), "band \(index): \(power)")
    }
    #expect(agree(powers[1] / powers[2], expected["fft_ratio"]?.number, Self.peerTolerance))
    #expect(agree(powers.reduce(0, +), expected["fft_total"]?.number, Self.peerTolerance))
  }

  @Test(
    "Welch power of complete recordings equals pyHRV",
    arguments: ["rest_supine", "exercise_ectopics", "mitdb100_apc", "h10_walk_run"])
  func pyhrvWhole(recording: String) throws { try expectPyHRV(try PeerReference.whole(recording)) }

  @Test("Welch power of five minutes equals pyHRV", arguments: SharedData.recordings)
  func pyhrvFiveMinutes(recording: String) throws {
    try expectPyHRV(try PeerReference.fiveMinutes(recording))
  }
}
