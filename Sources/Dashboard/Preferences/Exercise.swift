import Breathing

/// An exercise of the page Breathe, which can be a favourite.
enum Exercise: Equatable, Sendable {
  case pattern(BreathingPattern)
  /// "I need help now".
  case calm
  /// The steps of 5-4-3-2-1.
  case grounding

  /// The exercises that are offered to everyone, in the order of the page.
  static let predefined: [Exercise] =
    [.relaxing, .box, .coherent, .calming].map(Exercise.pattern) + [.calm, .grounding]

  /// `calm`, `grounding`, or the seconds of the phases.
  var text: String {
    switch self {
    case .pattern(let pattern): pattern.description
    case .calm: "calm"
    case .grounding: "grounding"
    }
  }

  init?(_ text: String) {
    switch text {
    case "calm": self = .calm
    case "grounding": self = .grounding
    default:
      guard let pattern = try? BreathingPattern(text) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// The path of its page.
  var path: String {
    switch self {
    case .pattern(let pattern): "/breathe?pattern=\(pattern.name.percentEncoded)"
    case .calm: "/calm"
    case .grounding: "/breathe/grounding"
    }
  }

  var pattern: BreathingPattern? {
    if case .pattern(let pattern) = self { pattern } else { nil }
  }
}
