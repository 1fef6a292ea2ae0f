import HRV
import HeartRate
import History
import LiveSession
import Localization
import Platform
import Plot
import Reports
import Stress

/// The page of a session: its course, what happened in it, and closed below them its beats as figures and its metrics.
struct SessionDetailsView: Sendable {
  let details: SessionDetails
  let reader: HistoryReader
  let context: PageContext

  private var session: StoredSession { details.session }
  private var id: String { session.info.id.text }

  var html: HTML {
    get throws {
      let events = reader.events(of: session.info.id)
      let analysis = SessionAnalysis(
        events: events, file: id, started: session.info.started, top: .normal, selection: nil)
      if let failure = events.failure { throw failure }
      var filter = HistoryFilter()
      filter.session = session.info.id
      let means = try reader.sessionMeans(of: context.profile, matching: filter)[session.info.id]
      return """
        \(PageNotice.html(context))
        \(SessionCourse(details: details, means: means ?? SessionMeans(), context: context).html)
        \(exercises)
        \(happened)
        <details class="card"><summary><h2>\(context.localized("For researchers"))</h2></summary><div class="stack">
        \(facts)
        \(SessionCharts(details: details, analysis: analysis, context: context).html)
        </div></details>
        \(exports)
        \(actions)
        """
    }
  }

  private var facts: HTML {
    var facts = FactList()
    facts.add(context.localized("Source"), source)
    facts.add(context.localized("End"), context.localized(session.end))
    facts.add(context.localized("Measurements"), "\(session.measurements)")
    facts.add(context.localized("Beats"), beats)
    if !details.gaps.isEmpty {
      facts.add(
        context.localized("Gaps"),
        context.localized("\(details.gaps.count), \(details.gapSeconds.fixed(1)) s in all"))
    }
    let baseline = context.localized(session.info.baseline.summary(session.info.settings.metric))
    facts.add(context.localized("Baseline"), baseline)
    facts.add("ID", "<code>\(id)</code>" as HTML)
    return facts.html
  }

  private var source: String {
    let source = context.localized(session.info.source.name)
    return session.strap.map { "\(source), \($0.name ?? $0.address)" } ?? source
  }

  private var beats: String {
    let artefacts = details.artefactFraction(details.finalVerdicts).map { ($0 * 100).fixed(1) }
    guard let artefacts else { return "\(details.beats)" }
    return context.localized("\(details.beats), artefacts \(artefacts) %")
  }

  private var exercises: HTML? {
    guard !details.exercises.isEmpty else { return nil }
    let items = details.exercises.map { "<li>\(context.localized($0.summary))</li>" as HTML }
    return
      "<section class=\"card stack\"><h2>\(context.localized("Breathing"))</h2><ul>\(items)</ul></section>"
  }

  /// Marks, gaps, changes of the link and journal entries by time.
  private var happened: HTML? {
    // A session begins with a search and a connection.
    let lost = details.links.drop { !$0.change.state.hasLiveData }.filter { !$0.change.state.hasLiveData }
    var events = lost.map { link in
      let reason = link.change.reason.map { ": \($0)" } ?? ""
      return (link.at, context.localized("Link: \(ConnectionCard.word(link.change.state, context))") + reason)
    }
    events += details.gaps.map { ($0.start, context.localized("Gap of \($0.seconds.fixed(1)) s")) }
    events += details.marks.map { ($0.at, context.localized("Mark: \($0.text)")) }
    events += details.journal.map { (at($0.time), context.capitalized($0.spoken)) }
    guard !events.isEmpty else { return nil }
    let items = events.sorted { $0.0 < $1.0 }.prefix(Self.mostEvents).map { at, text in
      "<li><span class=\"number\">\(context.clock(session.info.started.moved(seconds: Int64(at.seconds))))</span> \(text)</li>"
        as HTML
    }
    return """
      <section class="card stack"><h2>\(context.localized("What happened"))</h2>\
      <ol class="events">\(Array(items))</ol></section>
      """
  }

  /// Limit of the listed events of a session whose link is lost again and again.
  private static let mostEvents = 200

  private func at(_ time: WallTime) -> SessionTime {
    let microseconds = Int128(time.microseconds) - Int128(session.info.started.microseconds)
    return SessionTime(ticks: Int64(clamping: microseconds * 80))
  }

  private var exports: HTML {
    let formats = ExportDownload.Format.allCases.map { format in
      context.button("/history/export/\(id)?format=\(format.rawValue)", name(format))
    }
    return """
      <section class="card stack"><h2>\(context.localized("Export"))</h2>
      <p>\(context.localized("Download the beats of this session as a file."))</p><div class="row">\(formats)</div>
      </section>
      """
  }

  private func name(_ format: ExportDownload.Format) -> String {
    switch format {
    case .csv: "CSV"
    case .jsonl: "JSON"
    case .rr: context.localized("RR intervals")
    case .kubios: "Kubios"
    case .fit: "FIT"
    case .recording: context.localized("Recording")
    }
  }

  private var actions: HTML {
    let deletion =
      context.isReadOnly
      ? nil
      : context.button("/history/delete?session=\(id)", context.localized("Delete this session"), "danger")
    return """
      <div class="row between"><div class="row">\
      \(context.button("\(HistoryQuery.path)?session=\(id)", context.localized("Show its measurements")))\
      \(context.button("/history", context.localized("Back to the history")))</div>\(deletion)</div>
      """
  }
}
