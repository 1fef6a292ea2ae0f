import Breathing
import Localization

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
