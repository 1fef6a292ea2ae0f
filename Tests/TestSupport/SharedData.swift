import FoundationEssentials
package import HeartRate

/// The real recordings in the directory named by STRESSMON_TEST_DATA. Without it, tests that need them are
/// skipped.
package enum SharedData {
  package static let folder = ProcessInfo.processInfo.environment["STRESSMON_TEST_DATA"].flatMap {
    $0.isEmpty ? nil : $0
  }
  package static var isAvailable: Bool { folder != nil }

  /// The recordings in `rr/`, described in its README.
  package static let recordings = [
    "rest_supine", "exercise_ectopics", "h10_walk_run", "nsr001_24h", "mitdb100_apc", "afdb03665_af",
  ]

  /// A directory of recordings with one RR interval per line.
  package enum Directory: String, Sendable {
    /// Recordings with reference values of other programs.
    case rr
    /// 24 h recordings with expert annotations, without reference values.
    case holter
    /// Recordings in sinus rhythm with expert annotations, some with frequent ectopic beats.
    case labelled
    /// Recordings with atrial fibrillation.
    case labelledAF = "labelled_af"
    /// Sessions of one wearer of a chest strap.
    case wearer
    /// Sitting, arithmetic and movement of twelve people.
    case tasks
    /// Nights of one person as CSV: time in s, RR interval in ms, and whether the source had corrected the interval.
    case nights

    fileprivate var fileExtension: String { self == .nights ? ".csv" : ".txt" }
  }

  /// Whether the directory exists.
  package static func contains(_ directory: Directory) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: "\($0)/\(directory.rawValue)") } ?? false
  }

  /// Returns the names of all recordings in a directory.
  package static func recordingNames(in directory: Directory = .rr) throws -> [String] {
    guard let folder, contains(directory) else { return [] }
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(directory.rawValue)")
    let series = files.filter { $0.hasSuffix(directory.fileExtension) && !$0.hasSuffix(".labels.txt") }
    return series.map { String($0.dropLast(4)) }.sorted()
  }

  /// Returns the expert annotation of the beat that ends each interval (N, A, V, ...); nil for recordings
  /// without annotations.
  package static func labels(of recording: String, in directory: Directory = .rr) -> [Character]? {
    guard let bytes = try? file("\(directory.rawValue)/\(recording).labels.txt") else { return nil }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap {
      $0.first.map { Character(Unicode.Scalar($0)) }
    }
  }

  /// Returns the path of a recording: one RR interval per line in ms.
  package static func path(of recording: String) -> String { "\(folder ?? ".")/rr/\(recording).txt" }

  /// Returns the intervals of a recording, exact: up to four decimals of a millisecond are integer ticks.
  package static func intervals(
    of recording: String, in directory: Directory = .rr
  ) throws -> [RRInterval] {
    let isTable = directory == .nights
    let lines = try file("\(directory.rawValue)/\(recording)\(directory.fileExtension)").split(
      separator: UInt8(ascii: "\n"))
    return lines.dropFirst(isTable ? 1 : 0).map { line in
      let line = isTable ? line.split(separator: UInt8(ascii: ","))[1] : line
      let parts = line.split(separator: UInt8(ascii: "."))
      let decimals = parts.count > 1 ? Array(parts[1]) : []
      precondition(decimals.count <= 4)
      let padded = decimals + Array(repeating: UInt8(ascii: "0"), count: 4 - decimals.count)
      return RRInterval(ticks: number(parts[0]) * 80_000 + number(padded) * 8)
    }
  }

  /// Returns the beats of a night: end and interval in seconds, each as the source gives it.
  package static func night(_ recording: String) throws -> [(end: Double, interval: Double)] {
    let lines = try file("\(Directory.nights.rawValue)/\(recording).csv").split(separator: UInt8(ascii: "\n"))
    return lines.dropFirst().compactMap { line in
      let fields = line.split(separator: UInt8(ascii: ",")).map {
        Double(String(decoding: $0, as: UTF8.self))
      }
      guard fields.count == 3, let end = fields[0], let interval = fields[1] else { return nil }
      return (end, interval / 1000)
    }
  }

  /// Decodes a JSON file of `rr/`, converting keys such as `mean_nn` to `meanNn`.
  package static func json<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(file("rr/\(name)")))
  }

  private static func file(_ path: String) throws -> [UInt8] {
    guard let folder else { preconditionFailure("a test reads shared data without .enabled(if:)") }
    return try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
  }

  private static func number(_ digits: some Sequence<UInt8>) -> Int64 {
    digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}
