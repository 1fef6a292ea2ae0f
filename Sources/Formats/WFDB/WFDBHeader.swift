import HeartRate
import JSONLines
import Platform
import SessionData

/// The first line of a WFDB header: name, number of signals, frequency, number of samples, start time and date.
///
///     100 2 360 650000 07:30:00.250 20/11/2026
struct WFDBHeader {
  /// Samples per second, as an exact fraction.
  private(set) var ticksPerSample = WFDBHeader.ticks(250)
  private(set) var start: FileSession.Start?

  /// Limit of the size of a header.
  static let longest = 1 << 20
  private static let frequencies = 0.001...80_000_000.0

  /// Ticks of 1/80,000 ms per sample.
  static func ticks(_ frequency: Double) -> Double { Double(RRInterval.ticksPerSecond) / frequency }

  /// Parses the first line of a header. Returns `nil` for any other line.
  init?(line: some StringProtocol) {
    let fields = line.split(whereSeparator: \.isWhitespace)
    guard fields.count >= 2, let name = fields.first, !name.isEmpty,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-/".contains($0)) }),
      let signals = Int(fields[1]), (0...10_000).contains(signals)
    else { return nil }
    if fields.count > 2 {
      // `360/360(0)`: the counter frequency is not needed.
      guard let frequency = Double(fields[2].prefix { $0 != "/" && $0 != "(" }),
        Self.frequencies.contains(frequency)
      else { return nil }
      ticksPerSample = Self.ticks(frequency)
    }
    if fields.count > 4 {
      guard let time = Self.time(fields[4]) else { return nil }
      if fields.count > 5 {
        guard let day = Self.date(fields[5]) else { return nil }
        start = FileSession.Start(date: "\(day)T\(time)")
      }
    }
  }

  /// Whether text begins with a header: a first line with a date, or one that is followed by a line about a signal file.
  static func matches(_ text: String) -> Bool {
    // Bytes, because text of any format is examined.
    let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.lazy
      .filter { $0.first != UInt8(ascii: "#") }.prefix(2).map { Substring($0) }
    guard let first = lines.first, let header = WFDBHeader(line: first) else { return false }
    if header.start != nil { return true }
    let fields = lines.dropFirst().first?.split(separator: " ") ?? []
    return fields.count >= 2 && fields[0].contains(".dat") && fields[1].first?.isNumber == true
  }

  /// `7:30:0.5` with leading zeros.
  private static func time(_ text: some StringProtocol) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...10).contains($0.utf8.count) }) else { return nil }
    return parts.map { $0.prefix { $0 != "." }.utf8.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  private static func date(_ text: some StringProtocol) -> String? {
    let parts = text.split(separator: "/")
    guard parts.count == 3, parts[2].utf8.count == 4 else { return nil }
    return parts.reversed().map { $0.utf8.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }
}
