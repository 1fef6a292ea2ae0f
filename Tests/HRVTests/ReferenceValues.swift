import HeartRate
import TestSupport

@testable import HRV

/// A JSON value of which numbers are wanted.
indirect enum ReferenceValues: Decodable {
  case number(Double)
  case list([ReferenceValues])
  case object([String: ReferenceValues])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let list = try? container.decode([ReferenceValues].self) {
      self = .list(list)
    } else if let object = try? container.decode([String: ReferenceValues].self) {
      self = .object(object)
    } else {
      self = .other
    }
  }

  subscript(key: String) -> ReferenceValues? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  subscript(index: Int) -> ReferenceValues? {
    if case .list(let list) = self { list[index] } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }
}

/// A recording, or five minutes of it, with what other tools make of it.
struct Reference {
  let intervals: [RRInterval]
  let neurokit: ReferenceValues?
  let hrvAnalysis: ReferenceValues?
  let pyhrv: ReferenceValues?

  var segments: NNSegments { NNSegments(raw: intervals) }

  static func whole(_ recording: String) throws -> Reference {
    let values = try SharedData.json("\(recording).reference.json", as: ReferenceValues.self)
    return Reference(
      intervals: try SharedData.intervals(of: recording), neurokit: values["neurokit2_whole"],
      hrvAnalysis: values["hrv_analysis_whole"], pyhrv: values["pyhrv_whole"])
  }

  static func fiveMinutes(_ recording: String) throws -> Reference {
    let values = try SharedData.json("\(recording).reference.json", as: ReferenceValues.self)
    let segment = values["five_minute_segment"]
    guard let start = segment?["neurokit2"]?["start_index"]?.number,
      let end = segment?["neurokit2"]?["end_index_exclusive"]?.number
    else { throw Missing() }
    return Reference(
      intervals: Array(try SharedData.intervals(of: recording)[Int(start)..<Int(end)]),
      neurokit: segment?["neurokit2"], hrvAnalysis: segment?["hrv_analysis"], pyhrv: segment?["pyhrv"])
  }

  struct Missing: Error {}
}

/// Whether two numbers agree to a relative difference of `tolerance`.
func agree(_ a: Double?, _ b: Double?, _ tolerance: Double) -> Bool {
  guard let a, let b else { return false }
  return abs(a - b) <= tolerance * max(abs(a), abs(b))
}
