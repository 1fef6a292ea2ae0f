package import Localization
package import Stress

/// A morning reading relative to the person's own normal, in plain words.
package struct MorningVerdict: Equatable, Sendable {
  /// From 0 to 100; 50 is in the middle of the normal range, whose bounds are 5 and 95 (docs/design/morning.md).
  package let score: Int
  package let level: Level

  /// - Parameter rmssd: RMSSD of the reading in ms.
  package init(_ rmssd: Double, in range: NormalRange) {
    let score = range.score(rmssd)
    self.score = Int(score.rounded())
    level =
      switch range.position(rmssd) {
      case .below: .wellBelow
      case .above: .wellAbove
      case .within:
        score < Self.quartiles.lowerBound ? .lower : score > Self.quartiles.upperBound ? .higher : .usual
      }
  }

  /// `31 of 100: a little lower than usual for you.`
  package var phrase: Phrase { Phrase("\(score) of 100: \(level.phrase).") }

  /// Half of the undisturbed mornings have these scores.
  private static let quartiles = 25.0...75.0

  package enum Level: String, Sendable, CaseIterable {
    case wellBelow = "well-below"
    case lower
    case usual
    case higher
    case wellAbove = "well-above"

    /// `a little lower than usual for you`
    package var phrase: Phrase {
      switch self {
      case .wellBelow: Phrase("well below your normal")
      case .lower: Phrase("a little lower than usual for you")
      case .usual: Phrase("usual for you")
      case .higher: Phrase("a little higher than usual for you")
      case .wellAbove: Phrase("well above your normal")
      }
    }

    /// What to do, no stronger than its evidence: docs/design/morning.md.
    package var advice: Phrase {
      switch self {
      case .wellBelow:
        Phrase(
          "An easy day is a reasonable choice. Little sleep, alcohol, illness and hard training lower HRV; one morning alone says little."
        )
      case .lower: Phrase("That happens on one morning in five. Go on as planned, and watch how you feel.")
      case .usual, .higher: Phrase("Go on as planned.")
      case .wellAbove:
        Phrase("That can be rest, but also hard training or a coming illness. Go by how you feel.")
      }
    }

    /// The category whose icon and colour represent the level.
    package var category: StressCategory {
      switch self {
      case .usual, .higher: .relaxed
      case .wellAbove: .mild
      case .lower: .moderate
      case .wellBelow: .high
      }
    }
  }
}
