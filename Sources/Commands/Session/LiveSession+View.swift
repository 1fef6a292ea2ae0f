import HeartRate
import History
import Terminal
import Words

extension LiveSession {
  /// Runs the session, shows it as `view` says, and tells in the end what was kept, and where.
  func runShown(_ view: ViewOptions) async throws {
    let notices = Notices(onScreen: view.usesScreen(surroundings))
    let (surroundings, configuration) = (surroundings, configuration)
    let recording = recording?.path
    let (end, plan) = try await run(notices: notices) { plan, location in
      view.presenter(
        session: plan.id.text, profile: plan.profile, engine: plan.engine,
        footer: { Self.footer(recording: recording, location: location, $0) }, notices: notices,
        surroundings: surroundings, configuration: configuration)
    }
    if !view.json { try summary(plan, view.style(surroundings, configuration)).forEach(say) }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private static func footer(
    recording: String?, location: StoreLocation?, _ style: TerminalStyle
  ) -> String {
    let kept =
      switch (location?.path, recording) {
      case (nil, nil): style.words("Nothing is kept.")
      case (let path?, nil), (nil, let path?): style.words("Kept in \(path).")
      case (let history?, let file?): style.words("Kept in \(history) and \(file).")
      }
    return kept + " " + style.words("Ctrl-C ends the session.")
  }

  /// What was kept, and where to look next.
  func summary(_ plan: SessionPlan, _ style: TerminalStyle) throws -> [String] {
    var lines: [String] = []
    // A search that was ended before it found a strap leaves none.
    if isStored,
      try HistoryReader(store.location(configuration, surroundings))?.session(beginningWith: plan.id.text)
        != nil
    {
      let whose = plan.profile == (configuration[.profile] ?? "me") ? "" : " --profile \(plan.profile)"
      let command = "stressmon history\(whose)"
      lines.append(style.words("Session \(String(plan.id.text)) is in the history: \(command)"))
    }
    if let path = recording?.path {
      lines.append(style.words("Recorded to \(path): \("stressmon analyze \(path)")"))
    }
    return lines
  }
}
