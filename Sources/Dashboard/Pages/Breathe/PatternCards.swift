import Breathing
import Localization

/// The patterns to choose from, and the favourites with a slot for another one.
struct PatternCards: Sendable {
  let context: PageContext
  let chosen: BreathingPattern?

  var html: HTML {
    """
    <section class="stack" aria-labelledby="patterns-title">
    <h2 id="patterns-title">\(context.localized("Patterns"))</h2>
    <ul class="cards">\(BreathePage.patterns.map { card($0, Self.purpose($0, context), nil) })</ul>
    </section>
    <section class="stack" aria-labelledby="favourites" >
    <h2 id="favourites">\(context.localized("Favourites"))</h2>
    <ul class="cards">\(favourites.map { card($0, nil, editor($0)) })\(slot)</ul>
    \(favourites.isEmpty && context.isReadOnly ? empty : nil)
    </section>
    """
  }

  private var favourites: [BreathingPattern] { context.preferences.favourites }
  private var isEditable: Bool { !context.isReadOnly && context.options.preferences != nil }
  private var empty: HTML { "<p class=\"empty\">\(context.localized("No favourites yet."))</p>" }

  private func card(_ pattern: BreathingPattern, _ purpose: String?, _ editor: HTML?) -> HTML {
    let name = BreathingGuide.name(pattern, context)
    let isChosen = pattern == chosen
    return """
      <li class="card stack">
      <div><h3>\(name)</h3><p class="quiet">\(Self.phases(pattern, context))</p>\(purpose.map { "<p>\($0)</p>" })</div>
      <a class="button" href="\(context.path("/breathe?pattern=\(pattern.name.percentEncoded)"))"\
      \(attribute: "aria-current", isChosen ? "true" : nil)>\(Icon.wind) \
      \(context.localized("Follow"))<span class="visually-hidden"> \(name)</span></a>\(editor)
      </li>
      """
  }

  private func editor(_ pattern: BreathingPattern) -> HTML? {
    guard isEditable else { return nil }
    let (id, name) = ("change-\(pattern.description)", BreathingGuide.name(pattern, context))
    return """
      <details><summary>\(context.localized("Change or remove"))<span class="visually-hidden"> \(name)</span></summary>
      <form method="post" action="\(context.path("/breathe/favourites"))" class="stack">
      <input type="hidden" name="replace" value="\(pattern.description)">
      \(patternField(id, value: pattern.name))<button>\(context.localized("Save"))</button></form>
      <form method="post" action="\(context.path("/breathe/favourites"))"><input type="hidden" name="remove"\
       value="\(pattern.description)"><button class="danger">\(context.localized("Remove"))\
      <span class="visually-hidden"> \(name)</span></button></form></details>
      """
  }

  /// The slot for another favourite.
  private var slot: HTML? {
    guard isEditable, favourites.count < PagePreferences.mostFavourites else { return nil }
    return """
      <li class="card slot"><form method="post" action="\(context.path("/breathe/favourites"))" class="stack">
      <h3>\(context.localized("Add favourite"))</h3>\(patternField("add-pattern", value: ""))
      <button>\(context.localized("Add"))</button></form></li>
      """
  }

  private func patternField(_ id: String, value: String) -> HTML {
    """
    <div class="field"><label for="\(id)">\(context.localized("Pattern"))</label>\
    <input id="\(id)" name="pattern" value="\(value)" required maxlength="32" autocomplete="off" aria-describedby="\(id)-hint">\
    <span class="small quiet" id="\(id)-hint">\(context.localized("4-7-8, box, coherent, or seconds in, hold, out, rest: 4-0-6-0"))</span></div>
    """
  }

  private static func phases(_ pattern: BreathingPattern, _ context: PageContext) -> String {
    pattern.parts.map { "\(BreathingGuide.word($0.phase, context)) \(BreathingGuide.seconds($0.seconds)) s" }
      .joined(separator: ", ")
  }

  private static func purpose(_ pattern: BreathingPattern, _ context: PageContext) -> String? {
    switch pattern {
    case .relaxing: context.localized("Long exhales, often used before sleep.")
    case .box: context.localized("Four equal phases, for focus.")
    case .coherent: context.localized("Slow and even, close to the rate with the largest HRV.")
    case .calming: context.localized("Without holds, easy when you are upset.")
    default: nil
    }
  }
}
