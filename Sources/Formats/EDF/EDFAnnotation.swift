import HRV
import HeartRate
import JSONLines
import Platform

/// The texts of the annotations that stressmon writes and reads.
enum EDFText {
  static let beat = "QRS"
  /// Second text of the peak that begins the first interval after missing data.
  static let start = "start"
  static let gap = "gap"
  static let end = "Recording ends"

  private static let reserved = Set([beat, start, gap, end] + Verdict.allCases.map(\.rawValue))

  /// A note with no text that has another meaning, and without control characters.
  static func note(_ text: String) -> String {
    let plain = String(text.prefix(BeatSession.longestNote)).withoutControlCharacters
    return reserved.contains(plain) ? "mark: \(plain)" : plain
  }
}

/// An entry of a time-stamped annotations list (TAL).
///
///     +567.25  0x15 2.5  0x14  text  0x14  text  0x14  0x00
///     onset    duration        one or more texts
///
/// Onset and duration are in seconds, as exact decimals; the duration is optional.
struct EDFAnnotation {
  /// Relative to the start time in the header of the file.
  var onset: SessionTime
  var duration: Int64?
  var texts: [String]

  static let separator: UInt8 = 0x14
  static let durationMark: UInt8 = 0x15

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if onset.ticks >= 0 { bytes.append(UInt8(ascii: "+")) }
    bytes.append(seconds: onset)
    if let duration {
      bytes.append(Self.durationMark)
      bytes.append(seconds: SessionTime(ticks: duration))
    }
    for text in texts {
      bytes.append(Self.separator)
      bytes += text.utf8
    }
    return bytes + [Self.separator, 0]
  }

  /// The time-keeping entry of a data record: an onset with one empty text.
  static func recordStart(_ onset: SessionTime) -> EDFAnnotation {
    EDFAnnotation(onset: onset, duration: nil, texts: [""])
  }
}

extension EDFAnnotation {
  /// Parses one entry without its final zero. Fails if it is malformed.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.last?.isEmpty == true else { return nil }
    let times = parts[0].split(separator: Self.durationMark, omittingEmptySubsequences: false)
    guard (1...2).contains(times.count), let first = times[0].first,
      first == UInt8(ascii: "+") || first == UInt8(ascii: "-"), let onset = Self.time(times[0])
    else { return nil }
    self.onset = onset
    duration = nil
    if times.count == 2 {
      guard let length = Self.time(times[1]), length.ticks >= 0 else { return nil }
      duration = length.ticks
    }
    texts = parts.dropFirst().dropLast().map { String(decoding: $0, as: UTF8.self) }
  }

  private static func time(_ text: ArraySlice<UInt8>) -> SessionTime? {
    let isNegative = text.first == UInt8(ascii: "-")
    let hasSign = isNegative || text.first == UInt8(ascii: "+")
    let limit = 1_000_000_000 * RRInterval.ticksPerSecond
    let digits = hasSign ? text.dropFirst() : text
    guard let first = digits.first, (48...57).contains(first),
      let ticks = DecimalNumber(digits)?.ticks(perUnit: RRInterval.ticksPerSecond, limit: limit)
    else { return nil }
    return SessionTime(ticks: isNegative ? -ticks : ticks)
  }
}
