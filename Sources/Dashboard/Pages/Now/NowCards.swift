import HeartRate
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The cards of the page Now in the order of the preferences.
struct NowCards: Sendable {
  let model: NowModel
  let context: PageContext

  var html: HTML {
    let cards = context.preferences.cards.compactMap { card in content(card).map { self.card(card, $0) } }
    return """
      <ul class="cards" id="cards">\(cards)</ul>
      <p class="small quiet">\(context.localized("Arrows compare the last minute with the four minutes before it."))</p>\(arrangeLink)
      """
  }

  /// The parameter with which the cards have buttons that change their order.
  static let arrange = "arrange"
  private var isArranging: Bool { context.query.text(Self.arrange) == "on" }

  private var arrangeLink: HTML? {
    guard !context.isReadOnly, context.options.preferences != nil else { return nil }
    return isArranging
      ? "<p><a class=\"button\" href=\"\(context.path("/"))\">\(context.localized("Done"))</a></p>"
      : "<p><a class=\"button\" href=\"\(context.path("/?\(Self.arrange)=on"))\">\(context.localized("Change the order of the cards"))</a></p>"
  }

  /// nil for a card without data that would only take space.
  private func content(_ card: PagePreferences.Card) -> HTML? {
    switch card {
    case .heartRate: metric(.heartRate, model.values.heartRate, 0, context.localized("bpm"), note: nil)
    case .rmssd: metric(.rmssd, model.values.rmssd, 1, "ms", note: normal)
    case .sdnn: metric(.sdnn, model.values.sdnn, 1, "ms", note: nil)
    case .respiration:
      metric(
        .respiration, model.values.respiration, 1, context.localized("breaths/min"), note: respirationNote)
    case .artefacts: metric(.artefacts, model.values.artefacts, 1, "%", note: artefactNote)
    case .beats: LiveCharts(model: model, context: context).tachogram
    case .trend: LiveCharts(model: model, context: context).trend
    case .connection: ConnectionCard(model: model, context: context).html
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

  private func card(_ card: PagePreferences.Card, _ content: HTML) -> HTML {
    let isWide = [.beats, .trend, .week].contains(card)
    let name = Self.name(card, context)
    return """
      <li class="card\(isWide ? " wide" : "")" id="card-\(card.rawValue)" data-card="\(card.rawValue)">
      <div class="card-head"><h2>\(name)</h2>\(mover(card, name))</div>
      \(content)
      </li>
      """
  }

  /// Buttons that exchange the card with its neighbour, also without script.
  private func mover(_ card: PagePreferences.Card, _ name: String) -> HTML? {
    guard isArranging, !context.isReadOnly else { return nil }
    return """
      <form class="mover" method="post" action="\(context.path("/now/move"))"><input type="hidden" name="card"\
       value="\(card.rawValue)">\
      <button class="plain" name="direction" value="earlier" aria-label="\(context.localized("Move \(name) earlier"))">\
      <span aria-hidden="true">←</span></button>\
      <button class="plain" name="direction" value="later" aria-label="\(context.localized("Move \(name) later"))">\
      <span aria-hidden="true">→</span></button></form>
      """
  }

  /// A value with its unit, direction, age and note. The server renders the direction and the note again while the page is shown.
  private func metric(
    _ metric: LiveTrend.Metric, _ value: Double?, _ decimals: Int, _ unit: String, note: String?
  ) -> HTML {
    let key = metric.rawValue
    return """
      <p class="metric"><span class="metric-value number" data-value="\(key)" data-decimals="\(decimals)">\
      \(value?.fixed(decimals) ?? "-")</span> <span class="quiet">\(unit)</span></p>
      <p class="small quiet metric-state" id="state-\(key)" data-refresh="">\(trend(metric))\
      \(value.map { _ in "<span data-age=\"\(key)\">\(age(metric))</span>" as HTML })</p>
      <p class="small quiet" id="note-\(key)" data-refresh="">\(note ?? "\u{A0}")</p>
      """
  }

  private func age(_ metric: LiveTrend.Metric) -> String {
    let now = SystemClock.boot
    let seconds =
      switch metric {
      case .heartRate: model.feed?.heartRateAge(at: now)
      case .respiration: model.feed?.respirationAge(at: now)
      case .rmssd, .sdnn, .artefacts: nil as Int64?
      }
    return (seconds ?? model.report?.age).map { StateNotice.age($0, context) } ?? "-"
  }

  private var normal: String? { model.report?.normalPhrase.map(context.localized) }
  private var artefactNote: String {
    context.localized("of the beats in the last minute were not usable")
  }
  private var respirationNote: String? {
    model.values.respiration == nil ? context.localized("Needs a strap with acceleration") : nil
  }

  /// The direction as an arrow with its word; nil if it is unknown.
  private func trend(_ metric: LiveTrend.Metric) -> HTML? {
    guard let trend = model.beats.trends[metric]?.direction(metric) ?? reported(metric) else { return nil }
    let (arrow, word) =
      switch trend {
      case .up: ("↗", context.localized("rising"))
      case .steady: ("→", context.localized("steady"))
      case .down: ("↘", context.localized("falling"))
      }
    return "<span class=\"tag\"><span aria-hidden=\"true\">\(arrow)</span> \(word)</span>"
  }

  /// The direction from the history, for the HRV metric of a session whose lines the server has not received.
  private func reported(_ metric: LiveTrend.Metric) -> StatusReport.Trend? {
    guard let report = model.report, metric == (report.metric == .rmssd ? .rmssd : .sdnn) else { return nil }
    return report.trend
  }
}
