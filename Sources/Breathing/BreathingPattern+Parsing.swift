/// Why a text is no breathing pattern.
public enum PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  case malformed(String)
  case outOfRange(BreathPhase, seconds: Double, ClosedRange<Double>)

  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is no breathing pattern. Type 4-7-8, box, coherent, or seconds of breathing in, holding, breathing out "
        + "and pausing such as 4-0-6-0."
    case .outOfRange(let phase, let seconds, let range):
      "\(phase.rawValue) of \(BreathingPattern.text(seconds)) s is out of range: it takes "
        + "\(BreathingPattern.text(range.lowerBound)) to \(BreathingPattern.text(range.upperBound)) s."
    }
  }
}

extension BreathingPattern: CustomStringConvertible {
  /// Reads a name (`4-7-8`, `box`, `coherent`), or seconds: `5-5` in and out, `4-2-6` in, hold and out, `4-0-6-0` in, hold,
  /// out and pause. Decimals may follow a point. `4-7-8` has the second of pause that goes with it.
  public init(_ text: String) throws(PatternError) {
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

  /// Digits and a point, nothing else that a number may be written with.
  private static func seconds(_ word: Substring) -> Double? {
    guard !word.isEmpty, word.utf8.count <= 9,
      word.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(word)
  }

  /// `4-7-8-1`: the seconds of the four phases; reading it gives the same pattern.
  public var description: String {
    BreathPhase.allCases.map { Self.text(seconds(of: $0)) }.joined(separator: "-")
  }

  /// Its name where it has one, else the seconds.
  public var name: String { Self.named.first { $0.pattern == self }?.name ?? description }

  /// Without a point where the number is whole.
  static func text(_ seconds: Double) -> String {
    abs(seconds) < 1e6 && seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}
