import Stress
import Words

/// Values in sentences that a screen reader can say: whole numbers, units in full, no symbols.
public struct SpokenWords: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) { self.style = style }

  /// `Stress 12 of 100: Relaxed, the face smiles calmly.` Omits the face when the confidence is low.
  func stress(_ score: Double, confidence: Double) -> String {
    let word = style.word(StressCategory(score: score))
    guard SpokenConfidence(confidence) != .low else {
      return style.words("Stress \(score.fixed(0)) of 100: \(word).")
    }
    let face = style.words(BuddyMood(score: score).spoken)
    return style.words("Stress \(score.fixed(0)) of 100: \(word), \(face).")
  }

  func heartRate(_ bpm: Double) -> String { style.words("Heart rate \(bpm.fixed(0)) beats per minute.") }

  func hrv(_ milliseconds: Double, _ metric: HRVMetric) -> String {
    style.words("\(metric.rawValue.uppercased()) \(milliseconds.fixed(0)) milliseconds.")
  }

  /// In words, with why where it is not high.
  func confidence(_ value: Double, reasons: [String] = []) -> String {
    let why = reasons.joined(separator: "; ")
    return switch SpokenConfidence(value) {
    case .high: style.words("Confidence high.")
    case .medium where why.isEmpty: style.words("Confidence medium.")
    case .medium: style.words("Confidence medium: \(why).")
    case .low where why.isEmpty: style.words("Confidence low.")
    case .low: style.words("Confidence low: \(why).")
    }
  }

  /// `45 seconds`, `12 minutes`; whole minutes from two on.
  public func length(seconds: Double) -> String {
    let minutes = seconds >= 120
    guard let count = Int(exactly: (minutes ? seconds / 60 : seconds).rounded(.down)) else { return "" }
    return minutes
      ? style.words("\(count) minute", "\(count) minutes", count: count)
      : style.words("\(count) second", "\(count) seconds", count: count)
  }
}

/// How far a value can be trusted, in the three words that fit in a sentence.
enum SpokenConfidence {
  case high
  /// Below 0.8.
  case medium
  /// Below 0.5: less than half of it is to be believed.
  case low

  init(_ value: Double) { self = value < 0.5 ? .low : value < 0.8 ? .medium : .high }
}

extension Confidence.Factor {
  /// The reason with its units in full.
  var spokenReason: Phrase {
    switch self {
    case .lowHRV: Phrase("HRV is below 20 milliseconds")
    case .heartRateRange: Phrase("heart rate is below 40 or above 180 beats per minute")
    default: Phrase(known: reason)
    }
  }
}
