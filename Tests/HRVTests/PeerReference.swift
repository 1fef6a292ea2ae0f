import HeartRate
import TestSupport

@testable import HRV

/// A recording, or five minutes of it, with the results of other programs.
struct PeerReference {
  let intervals: [RRInterval]
  let neurokit: JSONValue?
  let hrvAnalysis: JSONValue?
  let pyhrv: JSONValue?

  var segments: NNSegments { NNSegments(raw: intervals) }

  static func whole(_ recording: String) throws -> PeerReference {
    let values = try SharedData.json("\(recording).reference.json", as: JSONValue.self)
    return PeerReference(
      intervals: try SharedData.intervals(of: recording), neurokit: values["neurokit2_whole"],
      hrvAnalysis: values["hrv_analysis_whole"], pyhrv: values["pyhrv_whole"])
  }

  static func fiveMinutes(_ recording: String) throws -> PeerReference {
    let values = try SharedData.json("\(recording).reference.json", as: JSONValue.self)
    let segment = values["five_minute_segment"]
    guard let start = segment?["neurokit2"]?["start_index"]?.number,
      let end = segment?["neurokit2"]?["end_index_exclusive"]?.number
    else { throw Missing() }
    return PeerReference(
      intervals: Array(try SharedData.intervals(of: recording)[Int(start)..<Int(end)]),
      neurokit: segment?["neurokit2"], hrvAnalysis: segment?["hrv_analysis"], pyhrv: segment?["pyhrv"])
  }

  struct Missing: Error {}
}

/// Whether two numbers agree within a relative difference of `tolerance`.
func agree(_ a: Double?, _ b: Double?, _ tolerance: Double) -> Bool {
  guard let a, let b else { return false }
  return abs(a - b) <= tolerance * max(abs(a), abs(b))
}
