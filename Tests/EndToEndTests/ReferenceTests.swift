import TestSupport
import Testing

/// The program against independent reference values for real recordings.
@Suite(
  .ownThreads,
  .enabled(if: SharedData.isAvailable, "set STRESSMON_TEST_DATA to the folder of real recordings"))
struct ReferenceTests {
  /// The name of each metric in the reference, and in the program.
  private static let metrics = [
    "mean_nn": "mean_nn_ms", "sdnn_ddof1": "sdnn_ms", "rmssd": "rmssd_ms", "sdsd_ddof1": "sdsd_ms",
    "pnn50_over_ndiff": "pnn50_percent", "pnn20_over_ndiff": "pnn20_percent", "sd1": "sd1_ms",
    "sd2": "sd2_ms",
    "hr_from_mean_nn": "mean_hr_bpm", "ln_rmssd": "ln_rmssd", "n": "beats", "duration_s": "duration_s",
  ]

  @Test(arguments: SharedData.recordings)
  func analysisGivesTheReferenceValues(recording: String) throws {
    let reference = try SharedData.json("\(recording).reference.json", as: JSONValue.self)[
      "canonical_whole_recording"]
    let outcome = try Home().run(
      "analyze", "--raw", "--metrics", "time", "--json", SharedData.path(of: recording))
    #expect(outcome.status == .exited(0))
    let ours = try JSONValue(outcome.output)
    for (theirs, key) in Self.metrics {
      #expect(isClose(ours[key]?.number, try #require(reference?[theirs]?.number)), "\(key)")
    }
  }

  @Test(arguments: ["rest_supine", "exercise_ectopics"], [60, 300])
  func replayGivesTheReferenceWindowAtEachBeat(recording: String, window: Int) throws {
    guard
      case .list(let checkpoints)? =
        try SharedData.json("\(recording).rolling.json", as: JSONValue.self)["checkpoints"]
    else { throw NoCheckpoints() }
    let outcome = try Home().run(
      "replay", "--raw", "--speed", "max", "--json", "--window", "\(window)", SharedData.path(of: recording))
    #expect(outcome.status == .exited(0))
    let measurements = outcome.lines.filter { $0.hasPrefix("{\"type\":\"measurement\"") }
    #expect(!checkpoints.isEmpty)
    for checkpoint in checkpoints {
      let ours = try JSONValue(measurements[Int(try #require(checkpoint["i"]?.number))])
      for (theirs, key) in ["sdnn": "sdnn_ms", "rmssd": "rmssd_ms", "mean": "mean_nn_ms", "n": "beats"] {
        // A window states HRV only once it has the data for a stress value.
        let isHRV = theirs == "sdnn" || theirs == "rmssd"
        if isHRV, ours["beats"]?.number ?? 0 < 20 || ours["covered_s"]?.number ?? 0 < 30 {
          #expect(ours[key] == .null, "\(key)")
          continue
        }
        switch checkpoint["\(theirs)\(window)"] {
        case .number(let expected)?: #expect(isClose(ours[key]?.number, expected), "\(key)")
        default: #expect(ours[key] == .null, "\(key)")
        }
      }
    }
  }

  /// Relative tolerance 1e-9.
  private func isClose(_ value: Double?, _ reference: Double) -> Bool {
    value.map { abs($0 - reference) <= 1e-9 * abs(reference) } ?? false
  }

  private struct NoCheckpoints: Error {}
}
