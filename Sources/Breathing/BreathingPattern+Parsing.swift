/// The reason why a text is not a valid breathing pattern.
package enum PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  case malformed(String)
  case outOfRange(BreathPhase, seconds: Double, ClosedRange<Double>)

  package var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a breathing pattern. Type 4-7-8, box, coherent, or the seconds of inhaling, holding, exhaling and "
        + "pausing, such as 4-0-6-0."
    case .outOfRange(let phase, let seconds, let range):
      "\(phase.rawValue) of \(BreathingPattern.text(seconds)) s is out of range: expected "
        + "\(BreathingPattern.text(range.lowerBound)) to \(BreathingPattern.text(range.upperBound)) s."
    }
  }
}

extension BreathingPattern: CustomStringConvertible {
  /// Parses a name (`4-7-8`, `box`, `coherent`) or seconds per phase: `5-5` inhale and exhale, `4-2-6`
  /// inhale, hold and exhale, `4-0-6-0` inhale, hold, exhale and pause. Seconds can have decimals. `4-7-8`
  /// includes its pause of one second.
  /// - Throws: ``PatternError`` for malformed text and for phases out of range.
  package init(_ text: String) throws(PatternError) {
    if let named = Self.named.first(where: { $0.name == text.lowercased() }) {
      self = named.pattern
      return
    }
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    let seconds = words.compactMap(Self.seconds)
    guard seconds.count == words.count else { throw .malformed(text) }
    switch seconds.count {
    case 2: try self.init(inhale: seconds[0], hold: 0, exhale: seconds[1], pause: 0)
    case 3: try self.init(inhale: seconds[0], hold: seconds[1], exhale: seconds[2], pause: 0)
    case 4: try self.init(inhale: seconds[0], hold: seconds[1], exhale: seconds[2], pause: seconds[3])
    default: throw .malformed(text)
    }
  }

  private static let named: [(name: String, pattern: BreathingPattern)] = [
    ("4-7-8", .relaxing), ("box", .box), ("coherent", .coherent),
  ]

  /// Accepts only digits and a decimal point, no other number syntax.
  private static func seconds(_ word: Substring) -> Double? {
    guard !word.isEmpty, word.utf8.count <= 9,
      word.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(word)
  }

  /// The seconds of the four phases, such as `4-7-8-1`. Parsing the description gives the same pattern.
  package var description: String {
    BreathPhase.allCases.map { Self.text(seconds(of: $0)) }.joined(separator: "-")
  }

  /// The name of a predefined pattern; otherwise the description.
  package var name: String { Self.named.first { $0.pattern == self }?.name ?? description }

  /// Formats seconds without decimals if they are an integer.
  static func text(_ seconds: Double) -> String {
    abs(seconds) < 1e6 && seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}
