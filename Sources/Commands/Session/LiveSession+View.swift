import HeartRate
import History
import Terminal

extension LiveSession {
  /// Runs the session, shows it as `view` says, and tells in the end what was kept, and where.
  func runShown(_ view: ViewOptions) async throws {
    let notices = Notices(onScreen: view.usesScreen(surroundings))
    let surroundings = surroundings
    let recording = recording?.path
    let output = output
    let (end, plan) = try await run(notices: notices) { plan, location in
      view.presenter(
        session: plan.id.text, profile: plan.profile, engine: plan.engine,
        footer: Self.footer(recording: recording, location: location), notices: notices,
        output: output, surroundings: surroundings)
    }
    if !view.json { try summary(plan).forEach(say) }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private static func footer(recording: String?, location: StoreLocation?) -> String {
    let places = [location?.path, recording].compactMap { $0 }
    let kept = places.isEmpty ? "Nothing is kept" : "Kept in \(places.joined(separator: " and "))"
    return "\(kept). Ctrl-C ends the session."
  }

  /// What was kept, and where to look next.
  func summary(_ plan: SessionPlan) throws -> [String] {
    var lines: [String] = []
    // A search that was ended before it found a strap leaves none.
    if isStored,
      try HistoryReader(store.location(configuration, surroundings))?.session(beginningWith: plan.id.text)
        != nil
    {
      let whose = plan.profile == (configuration[.profile] ?? "me") ? "" : " --profile \(plan.profile)"
      lines.append("Session \(plan.id.text) is in the history: stressmon history\(whose)")
    }
    if let recording { lines.append("Recorded to \(recording.path): stressmon analyze \(recording.path)") }
    return lines
  }
}
