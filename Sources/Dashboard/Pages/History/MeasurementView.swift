import HRV
import HeartRate
import History
import LiveSession
import Localization
import Plot
import Reports
import Stress

/// The page of a measurement: its value, how it was computed, why it is trusted, and the beats around it.
struct MeasurementView: Sendable {
  private let details: MeasurementDetails
  private let context: PageContext
  /// The beats of the window, and as many before and after it, with their final verdicts.
  private let beats: [Beat]

  private var measurement: StoredMeasurement { details.measurement }

  init(_ details: MeasurementDetails, _ reader: HistoryReader, _ context: PageContext) throws {
    (self.details, self.context) = (details, context)
    let events = reader.events(of: details.session.info.id)
    let all = ArtefactClassifier.classify(CollectedBeats(events).beats)
    if let failure = events.failure { throw failure }
    // The file can contain any numbers.
    let window = SessionTime(seconds: details.measurement.window)?.ticks ?? 0
    let end = min(max(details.measurement.at.ticks, 0), .max / 2)
    beats = all.filter { (end - 3 * window / 2...end + window / 2).contains($0.end.ticks) }
  }

  var html: HTML {
    """
    \(headline)
    \(MeasurementExplanation(details: details, context: context).html)
    <section class="card stack"><h2>\(context.localized("Window"))</h2>\(window)</section>
    \(surroundings)
    \(journal)
    \(actions)
    """
  }

  private var headline: HTML {
    let value = measurement.stress.map { stress -> HTML in
      guard let suspension = measurement.suspension else {
        return context.stress(stress, measurement.range, measurement.category)
      }
      return "<p class=\"category unknown\">\(context.localized(suspension.word))</p>"
    }
    return """
      <section class="card stack headline">\(value ?? "<p class=\"category unknown\">\(noValue)</p>")
      <p>\(context.time(measurement.time, seconds: true)), \(details.session.info.settings.metric.definition.name), \
      \(context.localized("\(measurement.window.fixed(0)) s")), \
      \(context.localized("confidence \(context.percent(measurement.confidence.value))"))\
      \(details.session.info.source == .simulated ? " \(context.simulatedTag)" : nil)</p></section>
      """
  }

  private var noValue: String {
    context.localized("No stress value.") + " " + context.localized(Phrase(known: details.reason))
  }

  private var window: HTML {
    var facts = FactList()
    let (normal, all) = (measurement.normalBeats, measurement.beats)
    facts.add(context.localized("Beats"), context.localized("\(normal) normal of \(all)"))
    facts.add(context.localized("HRV (RMSSD)"), context.value(measurement.rmssd, 1, "ms") + position)
    facts.add(context.localized("HRV (SDNN)"), context.value(measurement.sdnn, 1, "ms"))
    facts.add(
      context.localized("Mean heart rate"),
      context.value(measurement.meanHeartRate, 1, context.localized("bpm")))
    if let pNN50 = measurement.pNN50 { facts.add("pNN50", context.value(pNN50, 1, "%")) }
    if let coverage = measurement.coverage {
      facts.add(context.localized("Coverage"), context.percent(min(1, coverage)))
    }
    return facts.html
  }

  /// `, within your normal 36-53`; empty without a normal range, and during exertion.
  private var position: String {
    guard let normal = details.normal, let rmssd = measurement.rmssd,
      measurement.suspension == nil
    else { return "" }
    return ", " + context.localized(normal.phrase(rmssd, today: details.day))
  }

  private var surroundings: HTML? {
    guard !beats.isEmpty else { return nil }
    let name = context.localized("RR intervals around the measurement")
    let shown = beats.filter { $0.verdict != .gap }
    let figure = BeatFigure(beats: beats, texts: context.language.figureTexts).tachogram(
      name: name, at: shown.map { ($0.end.seconds, $0.rr.milliseconds) })
    let rows = zip(shown, figure.points).map { beat, point in
      DataTable.Row(
        [
          .init(clockText(seconds: beat.end.seconds)), .init(beat.rr.milliseconds.fixed(0)),
          .init(context.localized(beat.verdict.name)),
        ], point: point)
    }
    let table = DataTable(
      caption: name, headings: [context.localized("at"), "RR ms", context.localized("verdict")], rows: rows)
    let abnormal = shown.count { !$0.verdict.isNormal }
    let caption = context.localized(
      "\(shown.count) beats around the measurement, \(abnormal) of them not normal.")
    return
      "<section class=\"card stack\"><h2>\(context.localized("Beats"))</h2>\(ChartFigure("beats", figure, caption: caption, table: table, context).html)</section>"
  }

  private var journal: HTML? {
    guard !details.journal.isEmpty else { return nil }
    let items = details.journal.map { entry in
      "<li>\(context.time(entry.time)): \(context.capitalized(entry.spoken))</li>" as HTML
    }
    return "<section class=\"card stack\"><h2>\(context.localized("Journal"))</h2><ul>\(items)</ul></section>"
  }

  private var actions: HTML {
    let id = details.session.info.id.text
    return """
      <div class="row">\(context.button("/history/sessions/\(id)", context.localized("Show its session")))\
      \(context.button("/history/export/\(id)?format=csv", context.localized("Export its session as CSV")))\
      \(context.button("/history", context.localized("Back to the history")))</div>
      """
  }
}
