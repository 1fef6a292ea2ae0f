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
    [
      Endpoint("GET", "/calm") { try await renderer.page($0) { Self.page($0) } },
      Endpoint("GET", "/breathe/grounding") { request in
        try await renderer.page(request, ["step"]) { try Self.grounding($0) }
      },
    ]
  }

  static func page(_ context: PageContext) -> Page {
    var guide = BreathingGuide(.calming)
    (guide.cycles, guide.startsAtOnce) = (cycles, true)
    return Page(
      nil, title: context.localized("Breathe with the circle"),
      content: """
        <p>\(context.localized("You can stop at any time. Nothing is recorded."))</p>
        <div class="card">\(guide.html(context))</div>
        <section class="card stack" aria-labelledby="grounding-title">
        <h2 id="grounding-title">\(context.localized("Grounding: 5-4-3-2-1"))</h2>
        <p>\(context.localized("Name these things, one after the other, in your own time."))</p>
        <ol class="senses">\(Grounding.Sense.allCases.map { "<li>\(text($0, context))</li>" as HTML })</ol>
        <div>\(context.button("/breathe/grounding", context.localized("Step by step")))</div>
        </section>
        <p class="notice">\(context.localized("If you are in danger or think of hurting yourself, call your local emergency number now: 112 in Europe, 911 in North America."))</p>
        """)
  }

  /// One step of 5-4-3-2-1. Each step is a page, whose title a screen reader speaks.
  private static func grounding(_ context: PageContext) throws -> Page {
    let senses = Grounding.Sense.allCases
    let step = try context.query.integer("step", 1...senses.count + 1, default: 1)
    let isLast = step > senses.count
    let title =
      isLast
      ? context.localized("Well done. Stay a moment before you get up.") : text(senses[step - 1], context)
    let dots = senses.indices.map {
      "<li\(attribute: "class", $0 < step - 1 ? "done" : nil)\(attribute: "aria-current", $0 == step - 1 ? "step" : nil)><span>\(senses[$0].things)</span></li>"
        as HTML
    }
    let next =
      isLast
      ? context.button("/breathe", context.localized("Done"), "primary")
      : context.button("/breathe/grounding?step=\(step + 1)", context.localized("Next"), "primary")
    let back =
      step > 1 ? context.button("/breathe/grounding?step=\(step - 1)", context.localized("Back")) : nil
    var page = Page(
      .breathe,
      title: isLast
        ? context.localized("Grounding: 5-4-3-2-1")
        : context.localized("Step \(step) of \(senses.count): \(title)"),
      content: """
        <section class="guide" aria-label="\(context.localized("Grounding: 5-4-3-2-1"))">
        <ol class="stages dots" aria-label="\(context.localized("Stages"))">\(dots)</ol>
        <p class="quiet">\(isLast ? nil : hint(context))</p>
        <div class="row">\(back)\(next)</div>
        </section>
        \(CloseLink.html(context))
        """)
    page.heading = title
    page.isFullScreen = true
    return page
  }

  private static func hint(_ context: PageContext) -> HTML {
    "\(context.localized("Name them aloud or in your mind, in your own time."))"
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

/// The link that leaves an exercise that fills the screen.
enum CloseLink {
  static func html(_ context: PageContext) -> HTML {
    "<p class=\"close\">\(context.button("/breathe", context.localized("Back to the exercises")))</p>"
  }
}
