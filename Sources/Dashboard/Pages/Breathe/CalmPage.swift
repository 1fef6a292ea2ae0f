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
