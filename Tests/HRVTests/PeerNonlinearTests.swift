import HeartRate
import TestSupport
import Testing

@testable import HRV

/// DFA and sample entropy of other programs, computed with their settings.
@Suite(.enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"))
struct PeerNonlinearTests {
  private static let tolerance = 1e-6

  private func alpha(
    _ segments: NNSegments, boxes: ClosedRange<Int> = 4...16, overlaps: Bool, peer: Bool = true
  ) -> Double? {
    var analysis = FluctuationAnalysis()
    analysis.boxes = boxes
    analysis.overlaps = overlaps
    analysis.skipsStraightBoxes = peer
    analysis.average = peer ? .rootMeanSquare : .meanOfRoots
    return analysis.exponent(of: segments).value
  }

  @Test("DFA and sample entropy of the first 10,000 beats equal NeuroKit2", arguments: SharedData.recordings)
  func neurokitFirstBeats(recording: String) throws {
    let reference = try PeerReference.whole(recording)
    let segments = NNSegments(raw: reference.intervals.prefix(10_000))
    let neurokit = try #require(reference.neurokit)
    let expected: [(Double?, String)] = [
      (alpha(segments, boxes: 4...11, overlaps: true), "nk_dfa_a1_4_11_overlap(hrv_nonlinear)"),
      (alpha(segments, overlaps: true), "nk_dfa_a1_4_16_overlap"),
      (alpha(segments, overlaps: false), "nk_dfa_a1_4_16_nooverlap"),
      (SampleEntropy().entropy(of: segments).value, "nk_sampen_m2_r0.2sd1"),
    ]
    for (value, key) in expected {
      #expect(agree(value, neurokit[key]?.number, Self.tolerance), "\(key): \(String(describing: value))")
    }
  }

  @Test("DFA and sample entropy of five minutes equal NeuroKit2", arguments: SharedData.recordings)
  func neurokitFiveMinutes(recording: String) throws {
    let reference = try PeerReference.fiveMinutes(recording)
    let neurokit = try #require(reference.neurokit)
    let segments = reference.segments
    #expect(
      agree(alpha(segments, overlaps: true), neurokit["nk_dfa_a1_4_16_overlap"]?.number, Self.tolerance))
    #expect(
      agree(
        SampleEntropy().entropy(of: segments).value, neurokit["nk_sampen_m2_r0.2sd1"]?.number, Self.tolerance)
    )
  }

  /// pyHRV fits the slope by RANSAC with random draws. A reproducible value exists only if every draw agrees
  /// with least squares, that is, if the points are on a line.
  @Test(
    "DFA of the first 10,000 beats equals pyHRV", arguments: ["rest_supine", "h10_walk_run", "nsr001_24h"])
  func pyhrvFirstBeats(recording: String) throws {
    let reference = try PeerReference.whole(recording)
    let segments = NNSegments(raw: reference.intervals.prefix(10_000))
    let expected = reference.pyhrv?["dfa_first10000"]?["dfa_alpha1"]?.number
    #expect(agree(alpha(segments, overlaps: false, peer: false), expected, Self.tolerance))
  }

  @Test(
    "DFA of five minutes equals pyHRV",
    arguments: ["rest_supine", "h10_walk_run", "nsr001_24h", "afdb03665_af"])
  func pyhrvFiveMinutes(recording: String) throws {
    let reference = try PeerReference.fiveMinutes(recording)
    let expected = reference.pyhrv?["dfa"]?["dfa_alpha1"]?.number
    #expect(agree(alpha(reference.segments, overlaps: false, peer: false), expected, Self.tolerance))
  }
}
