import ArgumentParser
import HRV
import HeartRate
import History
import Localization
import Terminal

extension LiveSession {
  /// Runs the session, shows it as `view` says, handles keys on the screen, and prints a summary and where the
  /// session is stored.
  func runShown(_ view: ViewOptions) async throws {
    let notices = SessionAlerts(onScreen: view.usesScreen(environment))
    let keys = view.terminalKeys(environment)
    defer { keys?.close() }
    let output = output
    let screen = Screen(
      keys: keys == nil ? [] : LiveKey.allCases, style: view.style(environment, configuration), to: output)
    let keyboard = try keys.map { try makeKeyboard($0, screen, view) }
    let summary = SharedSummary()
    let outcome: SessionOutcome
    do {
      outcome = try await keyboard.hearing {
        try await run(with: keyboard, on: screen, view, notices, output, summary)
      }
    } catch {
      keys?.close()
      printSummary(ofFailed: summary, screen.style, view, to: output)
      throw error
    }
    try screen.endMessages()
    keys?.close()
    // Even if stdout is closed, stderr says where the session is stored.
    let printed = Result { try printSummary(summary.value, outcome.plan, screen.style, view, to: output) }
    if !view.json {
      try kept(outcome.plan, exercises: keyboard?.exercisesKept ?? 0, screen.style).forEach(printDiagnostic)
    }
    try printed.get()
    if let failure = outcome.failure { throw failure }
    if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
  }

  private func makeKeyboard(_ keys: TerminalKeys, _ screen: Screen, _ view: ViewOptions) throws
    -> LiveKeyboard
  {
    let desks = [SessionController(speed: source.guideSpeed)]
    guard view.speech.speak else {
      return LiveKeyboard(keys, screen, desks: desks, leading: try exerciseLead(view))
    }
    return LiveKeyboard(keys, speaking: try view.spokenKeys(screen), desks: desks)
  }

  private func run(
    with keyboard: LiveKeyboard?, on screen: Screen, _ view: ViewOptions, _ notices: SessionAlerts,
    _ output: NonblockingOutput, _ summary: SharedSummary
  ) async throws -> SessionOutcome {
    let (environment, configuration) = (environment, configuration)
    let (recording, desk) = (recording?.path, keyboard?.desks.first)
    var session = self
    session.attendant = desk
    session.requiresData = true
    session.untilQuit = keyboard?.untilQuit
    return try await session.outcome(notices: notices) { plan, location in
      desk?.subject = SessionController.Subject(plan: plan, location: location)
      let presenter = view.presenter(
        session: plan.id.text, profile: plan.profile, engine: plan.engine,
        footer: Self.footer(recording: recording, location: location, screen.style), on: screen,
        notices: notices, output: output, environment: environment, configuration: configuration)
      let shown: any SessionSink = desk.map { DeskSink(desk: $0, base: presenter) } ?? presenter
      summary.plan = plan
      return SummarySink(summary: summary, base: shown)
    }
  }

  /// What `b` leads through: what `stressmon breathe` does where it is asked for nothing else.
  private func exerciseLead(_ view: ViewOptions) throws -> LiveKeyboard.Lead {
    let location = isStored ? try store.location(configuration, environment) : nil
    let form = try GuidanceOptions.parse([]).form(
      view, environment, configuration, speed: source.guideSpeed)
    let (course, profile) = (try Breathe.parse([]).course(), profile)
    return LiveKeyboard.Lead(
      exercise: {
        GuidedExercise(
          course: course, findsResonance: false,
          variability: location.map { Breathe.variability(of: profile, $0) } ?? .populationDefault)
      }, form: form)
  }

  private static func footer(
    recording: String?, location: StoreLocation?, _ style: TerminalStyle
  ) -> String {
    let kept =
      switch (location?.path, recording) {
      case (nil, nil): style.localized("Nothing is kept.")
      case (let path?, nil), (nil, let path?): style.localized("Kept in \(path).")
      case (let history?, let file?): style.localized("Kept in \(history) and \(file).")
      }
    return kept + " " + style.localized("Ctrl-C ends the session.")
  }

  /// What was stored or recorded, with the command that shows it.
  func kept(_ plan: SessionPlan, exercises: Int = 0, _ style: TerminalStyle) throws -> [String] {
    var lines: [String] = []
    if isInHistory(plan) {
      let command = "stressmon history\(whose(plan))"
      lines.append(style.localized("Session \(String(plan.id.text)) is in the history: \(command)"))
    }
    if exercises > 0 {
      lines.append(
        style.localized("Breathing exercises kept: \(exercises), see \("stressmon breathe --list")"))
    }
    if let path = recording?.path {
      lines.append(style.localized("Recorded to \(path): \("stressmon analyze \(path)")"))
    }
    return lines
  }
}
