import Breathing
import HummingbirdCore
import Localization

/// "I need help now": a calming exercise that starts when the page opens. Without script, its words are a guide to follow; the
/// script paces the circle.
struct CalmPage: Sendable {
  let renderer: PageRenderer

  /// The cycles of the exercise: about five minutes.
  static let cycles = 30

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/calm") { try await renderer.page($0) { Self.page($0) } }]
  }

  static func page(_ context: PageContext) -> Page {
    Page(nil, title: context.localized("Breathe with the circle"), content: content(context))
  }

  static func content(_ context: PageContext) -> HTML {
    """
    <p>\(context.localized("You can stop at any time. Nothing is recorded."))</p>
    \(BreathingGuide(pattern: .calming, cycles: cycles, startsAtOnce: true).html(context))
    \(GroundingSteps.html(context))
    <p class="notice">\(context.localized("If you are in danger or think of hurting yourself, call your local emergency number now: 112 in Europe, 911 in North America."))</p>
    """
  }
}

/// The 5-4-3-2-1 exercise as a list.
enum GroundingSteps {
  static func html(_ context: PageContext) -> HTML {
    let steps = Grounding.Sense.allCases.map { sense -> HTML in "<li>\(text(sense, context))</li>" }
    return """
      <section class="card" aria-labelledby="grounding-title">
      <h2 id="grounding-title">\(context.localized("Grounding: 5-4-3-2-1"))</h2>
      <p>\(context.localized("Name these things, one after the other, in your own time."))</p>
      <ol class="senses">\(steps)</ol>
      </section>
      """
  }

  private static func text(_ sense: Grounding.Sense, _ context: PageContext) -> String {
    switch sense {
    case .sight: context.localized("5 things that you can see")
    case .touch: context.localized("4 things that you can feel")
    case .hearing: context.localized("3 things that you can hear")
    case .smell: context.localized("2 things that you can smell")
    case .taste: context.localized("1 thing that you can taste")
    }
  }
}
