import History
import Stress
import Terminal

extension LiveSession {
  /// Prints the summary of the session: to stdout, or to stderr with `--json`.
  func printSummary(
    _ summary: SessionSummary, _ plan: SessionPlan, _ style: TerminalStyle, _ view: ViewOptions,
    label: String? = nil, to output: NonblockingOutput
  ) throws {
    let (card, next) = (SummaryCard(style: style), nextCommand(summary, plan))
    let width = view.json ? nil : StandardOutput().width
    let lines =
      (label.map { ["\($0.printable):"] } ?? [])
      + (view.speech.speak
        ? card.spoken(summary, next: next) : card.lines(summary, next: next, width: width))
    guard !view.json else { return lines.forEach(printDiagnostic) }
    try output.write(lines.map { $0 + "\n" }.joined())
    try output.finish()
  }

  /// Prints what a session measured before it failed; nothing without a heartbeat, because the error says why.
  func printSummary(
    ofFailed summary: SharedSummary, _ style: TerminalStyle, _ view: ViewOptions, to output: NonblockingOutput
  ) {
    guard let plan = summary.plan, summary.value.beats > 0 else { return }
    try? printSummary(summary.value, plan, style, view, to: output)
  }

  private func nextCommand(_ summary: SessionSummary, _ plan: SessionPlan) -> String {
    if summary.beats == 0, summary.heartRate == nil { return "stressmon doctor" }
    if isInHistory(plan) { return "stressmon show \(plan.id.text)\(whose(plan))" }
    return recording.map { "stressmon analyze \($0.path)" } ?? "stressmon measure"
  }

  /// False for a search that was ended before it found a strap, which is not stored, and if the history cannot be read.
  func isInHistory(_ plan: SessionPlan) -> Bool {
    guard isStored, let reader = try? HistoryReader(store.location(configuration, environment)) else {
      return false
    }
    return (try? reader.session(beginningWith: plan.id.text)) != nil
  }

  /// The option that names the profile, where it is not the default.
  func whose(_ plan: SessionPlan) -> String {
    plan.profile == (configuration[.profile] ?? "me") ? "" : " --profile \(plan.profile)"
  }
}
