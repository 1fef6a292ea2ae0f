import Localization

/// The cards of the page Now in the order of the preferences.
struct NowCards: Sendable {
  let model: NowModel
  let context: PageContext

  var html: HTML {
    let cards = context.preferences.cards.filter { isArranging || !isHidden($0) }.map {
      card($0, content($0))
    }
    return """
      <ul class="cards" id="cards">\(cards)</ul>
      <p class="small quiet arrows">\(context.localized("Arrows compare the last minute with the four minutes before it."))</p>\(arrangeLink)
      """
  }

  /// The parameter with which the cards have buttons that change their order.
  static let arrange = "arrange"
  private var isArranging: Bool { context.query.text(Self.arrange) == "on" }

  private var arrangeLink: HTML? {
    guard !context.isReadOnly, context.options.preferences != nil else { return nil }
    return isArranging
      ? "<p><a class=\"button\" href=\"\(context.path("/"))\">\(context.localized("Done"))</a></p>"
      : "<p><a class=\"button\" href=\"\(context.path("/?\(Self.arrange)=on"))\">\(context.localized("Choose and order the cards"))</a></p>"
  }

  private func content(_ card: PagePreferences.Card) -> HTML {
    let values = NowValues(model: model, context: context)
    return switch card {
    case .heartRate: values.metric(.heartRate)
    case .rmssd: values.metric(.rmssd)
    case .sdnn: values.metric(.sdnn)
    case .respiration: values.metric(.respiration)
    case .artefacts: values.metric(.artefacts)
    case .beats: LiveCharts(model: model, context: context).tachogram
    case .trend: LiveCharts(model: model, context: context).trend
    case .connection: values.connection
    case .week: MoodWeek(moods: model.moods, context: context).html
    }
  }

  static func name(_ card: PagePreferences.Card, _ context: PageContext) -> String {
    switch card {
    case .heartRate: context.localized("Heart rate")
    case .rmssd: context.localized("HRV (RMSSD)")
    case .sdnn: context.localized("HRV (SDNN)")
    case .respiration: context.localized("Respiration")
    case .artefacts: context.localized("Artefacts")
    case .beats: context.localized("Beat intervals")
    case .trend: context.localized("Stress, last 5 minutes")
    case .connection: context.localized("Strap")
    case .week: context.localized("Your week")
    }
  }

  private static func icon(_ card: PagePreferences.Card) -> HTML? {
    switch card {
    case .heartRate: Icon.heart
    case .rmssd, .sdnn: Icon.pulse
    case .respiration: Icon.wind
    case .artefacts: Icon.warning
    case .beats, .trend: Icon.chart
    case .connection: Icon.signal
    case .week: nil
    }
  }

  private func isHidden(_ card: PagePreferences.Card) -> Bool { context.preferences.hidden.contains(card) }

  private func card(_ card: PagePreferences.Card, _ content: HTML) -> HTML {
    let isWide = [.beats, .trend, .week].contains(card) && !isHidden(card)
    let name = Self.name(card, context)
    return """
      <li class="card\(isWide ? " wide" : "")" id="card-\(card.rawValue)" data-card="\(card.rawValue)">
      <div class="card-head"><h2>\(Self.icon(card))\(name)</h2>\(mover(card, name))</div>
      \(isHidden(card) ? nil : content)
      </li>
      """
  }

  /// Buttons that exchange the card with its neighbour, and that hide or show it, also without script.
  private func mover(_ card: PagePreferences.Card, _ name: String) -> HTML? {
    guard isArranging, !context.isReadOnly else { return nil }
    return """
      <form class="mover" method="post" action="\(context.path("/now/cards"))"><input type="hidden" name="card"\
       value="\(card.rawValue)">\
      <button class="plain" name="change" value="earlier" aria-label="\(context.localized("Move \(name) earlier"))">\
      <span aria-hidden="true">←</span></button>\
      <button class="plain" name="change" value="later" aria-label="\(context.localized("Move \(name) later"))">\
      <span aria-hidden="true">→</span></button>\
      <button class="plain" name="change" value="\(isHidden(card) ? "show" : "hide")" aria-label="\(visibility(card, name))">\
      \(isHidden(card) ? context.localized("Show") : context.localized("Hide"))</button></form>
      """
  }

  private func visibility(_ card: PagePreferences.Card, _ name: String) -> String {
    isHidden(card) ? context.localized("Show \(name)") : context.localized("Hide \(name)")
  }
}
