import Design
import Localization
import Stress

/// The buddy: a round figure whose face shows the stress value. The eyes of all moods are in the picture; the style sheet shows those
/// of `data-mood` of the page. Unless motion is reduced, the mouth and the brows move from one mood to the next, and eyes and
/// accessories fade.
enum BuddyPicture {
  /// The body, the accessories and the stars are separate elements that the style sheet moves with transforms only, so that the
  /// browser animates them without drawing them again.
  static var html: HTML {
    """
    <span class="buddy" aria-hidden="true">
    \(layer("buddy-move", """
    <ellipse class="buddy-shadow" cx="60" cy="112" rx="30" ry="4"/>
    <path class="buddy-body" d="M60 18c26 0 42 20 42 46 0 28-18 44-42 44S18 92 18 64c0-26 16-46 42-46z"/>
    <ellipse class="buddy-belly" cx="60" cy="82" rx="24" ry="18"/>
    <path class="mouth" d="M-12 0q12 12 24 0"/><path class="brow brow-left" d="M-5.5 0h11"/><path class="brow brow-right" d="M-5.5 0h11"/>
    \(face("none", "<path d=\"M42 58h.01M78 58h.01\"/>"))
    \(face("sleeping", "<path d=\"M36 58q6 5 12 0M72 58q6 5 12 0\"/>"))
    \(face("calm", "<path d=\"M42 57h.01M78 57h.01\"/>"))
    \(face("concerned", "<path d=\"M42 59h.01M78 59h.01\"/>"))
    \(face("worried", "<circle class=\"eye\" cx=\"42\" cy=\"58\" r=\"5\"/><circle class=\"eye\" cx=\"78\" cy=\"58\" r=\"5\"/>"))
    \(face("overwhelmed", "<path d=\"M37 53l10 10m0-10l-10 10M73 53l10 10m0-10l-10 10M46 78q4-5 7 0t7 0 7 0 7 0\"/>"))
    """))
    \(layer("accessory a-sleeping", "<path d=\"M95 27h9l-9 11h9M106 9h8l-8 10h8\"/>"))
    \(layer("accessory a-worried", "<path class=\"drop\" d=\"M98 40c6 8 6 13 0 13s-6-5 0-13zM22 46c5 6 5 10 0 10s-5-4 0-10z\"/>"))
    \(layer("accessory a-overwhelmed", "<path class=\"star\" d=\"M60 2l2.5 5 5.5.5-4 4 1 5.5-5-2.5-5 2.5 1-5.5-4-4 5.5-.5zM22 18l2 4 4.5.5-3 3 .5 4.5-4-2-4 2 .5-4.5-3-3 4.5-.5zM98 18l2 4 4.5.5-3 3 .5 4.5-4-2-4 2 .5-4.5-3-3 4.5-.5z\"/>"))
    </span>
    """
  }

  /// The buddy where no stress value is shown.
  static func waiting(_ mood: BuddyMood) -> HTML {
    "<div class=\"waiting\" data-category=\"unknown\" data-mood=\"\(mood.rawValue)\">\(html)</div>"
  }

  private static func layer(_ name: StaticString, _ shapes: HTML) -> HTML {
    """
    <svg class="\(HTML(trusted: "\(name)"))" viewBox="0 0 120 120" focusable="false">\(shapes)</svg>
    """
  }

  private static func face(_ mood: StaticString, _ shapes: StaticString) -> HTML {
    HTML(trusted: "<g class=\"face f-\(mood)\">\(shapes)</g>")
  }

  /// The sentence below the picture.
  static func text(_ mood: BuddyMood?, _ context: PageContext) -> String {
    guard let mood else { return context.localized("Your buddy waits for a stress value.") }
    return switch mood {
    case .sleeping: context.localized("Your buddy sleeps peacefully: very calm and relaxed.")
    case .calm: context.localized("Your buddy smiles calmly: feeling good.")
    case .concerned: context.localized("Your buddy looks a little concerned.")
    case .worried: context.localized("Your buddy is tense and sweats: stressed.")
    case .overwhelmed: context.localized("Your buddy is dizzy: overwhelmed.")
    }
  }
}
