import HeartRate
import History
import HummingbirdCore
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The question of a live session on the page Now, with a form that works without script.
///
/// It is shown for an hour, until it is answered here, on the desktop or in a terminal. The first answer counts.
struct PromptCard: Sendable {
  /// The question to show, if there is one.
  let prompt: StoredPrompt?
  let context: PageContext

  /// The newest question that is not answered.
  static func open(_ context: PageContext) throws -> StoredPrompt? {
    let now = SystemClock.wall
    return try context.reader?.prompts(of: context.profile, limit: 2).first { $0.isOpen(at: now) }
  }

  var html: HTML {
    let title = context.localized("Stressed? By what?")
    guard let prompt, !context.isReadOnly else {
      return "<div id=\"prompt\" data-live data-key=\"\"></div>"
    }
    return """
      <div id="prompt" data-live data-key="\(Int(prompt.id))" data-announce="\(title)">
      <section class="card stack" aria-labelledby="prompt-title"><h2 id="prompt-title">\(title)</h2>
      <p>\(text(prompt.measurement))</p>
      <form method="post" action="\(context.path("/now/prompt"))" class="stack">\
      <input type="hidden" name="prompt" value="\(Int(prompt.id))">
      \(FormField("triggers", context.localized("By what?"), hint: context.localized("What affects you, separated by commas: coffee, work")).text(nil))
      <div class="row">\(StressPrompt.Answer.allCases.map(button))</div></form></section></div>
      """
  }

  private func text(_ measurement: StressPrompt) -> String {
    let (rmssd, normal) = (measurement.rmssd.fixed(0), measurement.normal)
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    let time = String(LocalCalendar.system.clockText(measurement.time).prefix(5))
    return context.localized(
      "At \(time), your HRV (RMSSD) was \(rmssd) ms; your normal range at rest is \(low) to \(high) ms.")
  }

  private func button(_ answer: StressPrompt.Answer) -> HTML {
    """
    <button\(attribute: "class", answer == .yes ? "primary" : nil) name="answer" value="\(answer.rawValue)">\
    \(context.localized(answer.label))</button>
    """
  }
}

extension PromptCard {
  /// Stores the answer of a form, and shows what follows it.
  static func answer(_ request: PermittedRequest, _ renderer: PageRenderer) async throws -> Response {
    try await renderer.form(request) { context, form in
      guard let answer = form.value("answer").flatMap(StressPrompt.Answer.init(rawValue:)) else {
        throw Problem.badParameter("answer", expected: "yes, no, breathe or not-today")
      }
      let draft = EntryDraft(form, context)
      if draft.errors["triggers"] != nil {
        throw Problem.badParameter("triggers", expected: "at most \(JournalAPI.mostTriggers) short names")
      }
      guard let id = form.value("prompt").flatMap({ Int64($0) }),
        let prompt = try context.reader?.prompt(id, of: context.profile)
      else {
        throw Problem(404, "No such question", "The question does not exist, or its session was deleted.")
      }
      let outcome = try HistoryWriter(context.options.location).answer(
        id, of: context.profile, answer, at: SystemClock.wall,
        entry: prompt.journalEntry(triggers: draft.triggers))
      return .redirect(context.path(path(after: outcome)))
    }
  }

  private static func path(after outcome: PromptAnswerOutcome) -> String {
    guard case .stored(let prompt) = outcome else { return PageNotice.path("/", .answeredBefore) }
    switch prompt.answer {
    case .yes?: return prompt.entry.map { "/journal/entries/\($0)" } ?? "/journal"
    case .breathe?: return "/breathe"
    case .no?, .notToday?, nil: return PageNotice.path("/", .answered)
    }
  }
}
