package import Localization
package import Stress

extension BuddyMood {
  /// A description of the face for a screen reader.
  package var spoken: Phrase {
    switch self {
    case .sleeping: Phrase("the face is asleep")
    case .calm: Phrase("the face looks calm")
    case .concerned: Phrase("the face looks concerned")
    case .worried: Phrase("the face looks tense")
    case .overwhelmed: Phrase("the face looks overwhelmed")
    }
  }

  /// The mood in one word.
  package var word: Phrase {
    switch self {
    case .sleeping: Phrase("sleeping")
    case .calm: Phrase("calm")
    case .concerned: Phrase("concerned")
    case .worried: Phrase("worried")
    case .overwhelmed: Phrase("overwhelmed")
    }
  }
}
