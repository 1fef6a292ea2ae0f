import HeartRate
import JSONLines

/// What a stream of an XDF file contains.
struct XDFStream {
  enum Content: Equatable {
    /// RR intervals in channel `channel`, with the number of ticks per unit if it is stated. The first value determines it
    /// otherwise.
    case intervals(channel: Int, ticksPerUnit: Int64?)
    case heartRates(channel: Int)
    /// Texts in the first channel.
    case markers
    case other
  }

  /// The type of the values.
  enum Value: String {
    case float32, double64, int8, int16, int32, int64, string

    /// Length in bytes. Texts have no fixed length.
    var length: Int? {
      switch self {
      case .float32, .int32: 4
      case .double64, .int64: 8
      case .int8: 1
      case .int16: 2
      case .string: nil
      }
    }
  }

  let content: Content
  let value: Value
  let channels: Int
  /// Nominal sampling rate in Hz; 0 for events.
  let rate: Double

  static let longestHeader = 16 << 20
  private static let mostChannels = 100_000
  private static let intervalNames: Set = [
    "rr", "rri", "rrinterval", "rrintervals", "ibi", "ppi", "interbeatinterval", "nn",
  ]
  private static let rateNames: Set = ["hr", "heartrate", "bpm", "pulse"]

  /// Parses the XML of a stream header. Fails if a required element is missing.
  init?(header: [UInt8]) {
    let info = XDFText(header)
    guard let count = info["channel_count"].flatMap({ Int($0) }), (0...Self.mostChannels).contains(count),
      let value = info["channel_format"].flatMap({ Value(rawValue: $0) })
    else { return nil }
    (channels, self.value) = (count, value)
    rate = info["nominal_srate"].flatMap { Double($0) } ?? 0
    content = Self.content(info, count, value, rate)
  }

  private static func content(_ info: XDFText, _ count: Int, _ value: Value, _ rate: Double) -> Content {
    guard count > 0 else { return .other }
    let labels = info.all("label").prefix(count).map(plain)
    let units = info.all("unit").prefix(count).map { $0.lowercased() }
    let type = plain(info["type"] ?? "")
    func channel(_ names: Set<String>) -> Int? {
      labels.firstIndex { names.contains($0) } ?? (names.contains(type) ? 0 : nil)
        ?? (count == 1 && names.contains(plain(info["name"] ?? "")) ? 0 : nil)
    }
    // At a regular rate, values repeat and are not beats.
    if rate == 0, let place = channel(intervalNames) {
      return .intervals(
        channel: place, ticksPerUnit: ticks(perUnit: units.indices.contains(place) ? units[place] : ""))
    }
    if let place = channel(rateNames), value != .string { return .heartRates(channel: place) }
    return type == "markers" && value == .string ? .markers : .other
  }

  private static func plain(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static func ticks(perUnit unit: String) -> Int64? {
    switch unit {
    case "ms", "milliseconds", "millisecond": RRInterval.ticksPerMillisecond
    case "s", "sec", "seconds", "second": RRInterval.ticksPerSecond
    case "1/1024 s", "1/1024s": RRInterval.ticksPerGATTUnit
    default: nil
    }
  }
}

/// The texts of the leaf elements of a header in XML.
struct XDFText {
  private let text: String

  init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  /// The text of the first element with this name.
  subscript(name: String) -> String? { values(name, limit: 1).first }

  /// The texts of all elements with this name.
  func all(_ name: String) -> [String] { values(name, limit: 1000) }

  private func values(_ name: String, limit: Int) -> [String] {
    var found: [String] = []
    for part in text.split(separator: "<\(name)>").dropFirst(text.hasPrefix("<\(name)>") ? 0 : 1) {
      guard found.count < limit, let end = part.firstIndex(of: "<") else { break }
      found.append(part[..<end].trimmed)
    }
    return found
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
