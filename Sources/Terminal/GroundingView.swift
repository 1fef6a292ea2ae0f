package import Breathing
package import Localization

/// The state of the 5-4-3-2-1 exercise at one moment, with its texts.
package struct GroundingView: Sendable {
  package let sense: Grounding.Sense
  /// The number of the current item, from 1.
  package let thing: Int

  package init(sense: Grounding.Sense, thing: Int) { (self.sense, self.thing) = (sense, thing) }

  /// The instruction: `Name 5 things that you can see.`
  package var task: Phrase {
    let count = sense.things
    return switch sense {
    case .sight: Phrase("Look around you. Name \(count) things that you can see.")
    case .touch:
      Phrase("Name \(count) things that you can feel: your feet on the floor, the chair, your sleeves.")
    case .hearing: Phrase("Listen. Name \(count) things that you can hear.")
    case .smell: Phrase("Name \(count) things that you can smell, or two smells that you like.")
    case .taste: Phrase("Name \(count) thing that you can taste, or take a sip of water.")
    }
  }

  /// One symbol per item of the sense; completed items and the current one are filled.
  package func dots(unicode: Bool) -> String {
    let (full, empty) = unicode ? ("●", "○") : ("*", ".")
    return (1...sense.things).map { $0 <= thing ? full : empty }.joined(separator: " ")
  }
}
