import ArgumentParser
import HRV
import HeartRate
import History
import Localization
import Platform
import Reports
import Session
import Stress
import Terminal

/// Runs the sessions of `live` and `record`, displays them, handles keys, and prints their summaries.
///
/// Several sessions have labels. Their failures are printed as they occur; the exit status is that of the first failure.
struct SessionView {
  let setups: [SessionSetup]
  /// The labels of several sessions; empty for one.
  let labels: [String]
  let options: ViewOptions
  let context: CommandContext

  var isOnScreen: Bool { options.usesScreen(context.environment) }
  var style: TerminalStyle { options.style(context) }
  private var isSeveral: Bool { setups.count > 1 }

  func run() async throws {
    let keys = options.terminalKeys(context.environment)
    defer { keys?.close() }
    // A session whose events are known in advance waits for the reader of its output.
    let output = NonblockingOutput(blocks: setups[0].source.waitsForReaders)
    let screen = Screen(
      blocks: setups.count, hasCommonFooter: isSeveral,
      keys: keys == nil ? [] : isSeveral ? LiveKey.ofSeveral : LiveKey.ofOne, style: style, to: output)
    let keyboard = try keys.map { try makeKeyboard($0, screen) }
    let group = try prepare(keyboard, screen, output)
    keyboard?.members = group.members
    screen.setFooter { footer(of: isSeveral ? group.members[...] : group.members[$0...$0], setups[$0]) }
    let outcome: SessionOutcome
    do {
      outcome = try await keyboard.handlingKeys {
        try await group.run(until: keyboard?.untilQuit) { alert($0, group) }
      }
    } catch {
      keys?.close()
      try? printSummaries(group, to: output, onlyWithBeats: true)
      throw error
    }
    try screen.endMessages()
    keys?.close()
    try printResults(of: group, outcome, exercises: keyboard?.storedExercises ?? 0, to: output)
    try end(outcome)
  }

  private func makeKeyboard(_ keys: TerminalKeys, _ screen: Screen) throws -> LiveKeyboard {
    let controllers = setups.map { SessionController(speed: $0.source.speed) }
    guard !options.speech.speak else {
      return LiveKeyboard(
        keys, speaking: try options.spokenKeys(screen), controllers: controllers)
    }
    return LiveKeyboard(
      keys, screen, controllers: controllers, exercise: isSeveral ? nil : try guidedExercise()
    )
  }

  private func prepare(
    _ keyboard: LiveKeyboard?, _ screen: Screen, _ output: NonblockingOutput
  ) throws -> SessionGroup {
    let setups = self.setups.indices.map { index in
      var setup = self.setups[index]
      // Other programs can mark moments of a session that has no keyboard.
      setup.controller = keyboard?.controllers[index] ?? SessionController(speed: setup.source.speed)
      setup.requiresData = true
      if !isSeveral { setup.startExercise = keyboard?.startExercise }
      return setup
    }
    let alerts = setups.indices.map {
      SessionAlerts(onScreen: isOnScreen, label: isSeveral ? labels[$0] : nil)
    }
    return try SessionGroup(setups, alerts: alerts) { index, plan in
      presenter(index, plan, alerts[index], screen, output)
    }
  }

  /// The exercise that the key `b` starts: that of `stressmon breathe` without options.
  private func guidedExercise() throws -> LiveKeyboard.GuidedExerciseOptions {
    let form = try GuidanceOptions.parse([]).form(
      options, context, speed: setups[0].source.speed)
    let (course, setup) = (try Breathe.parse([]).course(), setups[0])
    return LiveKeyboard.GuidedExerciseOptions(
      exercise: {
        GuidedExercise(
          course,
          variability: setup.history.map { Breathe.variability(of: setup.profile, $0) } ?? .populationDefault)
      }, form: form)
  }

  // MARK: Display

  private func presenter(
    _ index: Int, _ plan: SessionPlan, _ alerts: SessionAlerts, _ screen: Screen, _ output: NonblockingOutput
  ) -> any SessionSink {
    let style = style
    let width = labels.map(\.columns).max() ?? 0
    let label = isSeveral ? labels[index].padded(to: width) : nil
    let notices = NoticeDisplay(
      NoticeText(
        style: style, label: isSeveral ? labels[index] : nil, profile: context.named(plan.profile),
        ringsOnChange: context.configuration.soundFeedback == .bell),
      isOnTerminal: StandardOutput().isTerminal)
    if options.json { return JSONPresenter(session: plan.id.text, profile: plan.profile, to: output) }
    if options.speech.speak {
      let speech = LiveSpeech(
        style: style, every: options.speech.period, label: label, normal: setups[index].normalPosition)
      return SpeechPresenter(speech, notices: notices, to: output)
    }
    let normal = setups[index].normalPosition
    guard isOnScreen else {
      return LinePresenter(style: style, label: label, normal: normal, notices: notices, to: output)
    }
    return screen.presenter(
      Screen.Block(
        screen: LiveScreen(style: style, footer: isSeveral ? nil : "", normal: normal),
        profile: plan.profile, alerts: alerts), at: index, notices: notices)
  }

  /// Where the sessions are stored at present, and how they end.
  private func footer(of members: ArraySlice<SessionMember>, _ setup: SessionSetup) -> String {
    let delayed = Set(
      members.flatMap { member in
        (member.storage.error == nil ? [] : [setup.store?.path])
          + (member.alerts.isReported(.recording) ? [setup.recording?.path] : [])
      }.compactMap(\.self))
    let stored = StorageOutcome.destination((setup.store?.path, setup.recording?.path), delayed: delayed)
      .map(style.localized).joined(separator: " ")
    let end =
      isSeveral ? style.localized("Ctrl-C ends the sessions.") : style.localized("Ctrl-C ends the session.")
    return stored + " " + end
  }

  // MARK: Failures

  private func alert(_ failure: SessionFailure, _ group: SessionGroup) {
    guard isSeveral, let failed = CommandFailure(failure.error) else { return }
    group.members[failure.index].alerts.report(.session, style.localized(failed.message))
  }

  /// - Throws: The failure of one session; for several, whose failures are printed already, their exit status.
  private func end(_ outcome: SessionOutcome) throws {
    if !isSeveral, let failure = outcome.failures.first { throw failure.error }
    if case .signal(let signal) = outcome.end, !outcome.failures.contains(where: \.occurredAtEnd) {
      throw Interruption(signal: signal)
    }
    guard let error = outcome.failures.first?.error else { return }
    guard let failure = CommandFailure(error) else { throw error }
    throw ExitCode(failure.status.rawValue)
  }

  private func printResults(
    of group: SessionGroup, _ outcome: SessionOutcome, exercises: Int, to output: NonblockingOutput
  ) throws {
    if isSeveral, isOnScreen {
      for failure in outcome.failures {
        let text = style.localized(Phrase(of: failure.error))
        printDiagnostic("stressmon: \(labels[failure.index].printable): \(text)")
      }
    }
    // Where the session is stored is printed even if standard output is closed.
    let printed = Result { try printSummaries(group, to: output) }
    if !options.json { printStorage(of: group, exercises: exercises) }
    try printed.get()
  }
}

extension SessionView {
  /// Prints the summary of each session: to stdout, or to stderr with `--json`.
  /// - Parameter onlyWithBeats: omits sessions without a beat, for which the error is sufficient.
  func printSummaries(
    _ group: SessionGroup, to output: NonblockingOutput, onlyWithBeats: Bool = false
  ) throws {
    for (index, member) in group.members.enumerated() {
      let summary = member.summary.value
      if onlyWithBeats, summary.beats == 0 { continue }
      let heading = labels.isEmpty ? [] : ["\(labels[index].printable):"]
      try print(heading + lines(summary, member), to: output)
    }
  }

  private func lines(_ summary: SessionSummary, _ member: SessionMember) -> [String] {
    let card = SummaryCard(style: style, isSimulated: member.plan.source == .simulated)
    let next = nextCommand(summary, member)
    let width = options.json ? nil : StandardOutput().width
    return options.speech.speak
      ? card.spoken(summary, next: next) : card.lines(summary, next: next, width: width)
  }

  private func print(_ lines: [String], to output: NonblockingOutput) throws {
    guard !options.json else { return lines.forEach(printDiagnostic) }
    try output.write(lines.map { $0 + "\n" }.joined())
    try output.finish()
  }

  private func nextCommand(_ summary: SessionSummary, _ member: SessionMember) -> String {
    if summary.beats == 0, summary.heartRate == nil { return "stressmon doctor" }
    if member.storage.hasSession {
      // Without a number, the latest session is shown.
      return "stressmon show" + (isSeveral ? " \(member.plan.id.text)" : "")
        + context.profileOption(member.plan.profile)
    }
    return member.setup.recording.map { "stressmon analyze \($0.path)" } ?? "stressmon measure"
  }

  /// Prints where each session is stored or recorded, with the command that shows it.
  func printStorage(of group: SessionGroup, exercises: Int) {
    for (index, member) in group.members.enumerated() {
      let prefix = labels.isEmpty ? "" : "\(labels[index].printable): "
      for line in storage(of: member, exercises: exercises) { printDiagnostic(prefix + line) }
    }
  }

  private func storage(of member: SessionMember, exercises: Int) -> [String] {
    var lines: [String] = []
    let command = "stressmon history\(context.profileOption(member.plan.profile))"
    if let sentence = member.storage.sentence(session: member.plan.id.text, listing: command) {
      lines.append(style.localized(sentence))
    }
    if exercises > 0 {
      lines.append(
        style.localized(
          "Breathing exercises stored: \(exercises). List them with: \("stressmon history --breathing")"))
    }
    if let path = member.setup.recording?.path {
      lines.append(
        style.localized("Recorded to \(path). Analyze the file with: \("stressmon analyze \(path)")"))
    }
    return lines
  }
}

extension StorageOutcome {
  /// States that the session `id` is stored, with the command that lists the sessions; nil if the history does not contain it.
  func sentence(session id: String, listing command: String) -> Phrase? {
    switch self {
    case .stored: Phrase("Session \(id) is stored. List the sessions with: \(command)")
    case .partial: Phrase("Session \(id) is stored in part. List the sessions with: \(command)")
    case .declined, .withoutData, .failed: nil
    }
  }

  /// Where a running session is stored, for the footer of its screen.
  /// - Parameters:
  ///   - paths: of the history, and of the recording.
  ///   - delayed: those that cannot be written at present, for example on a full disk.
  static func destination(
    _ paths: (history: String?, file: String?), delayed: Set<String> = []
  ) -> [Phrase] {
    let all = [paths.history, paths.file].compactMap(\.self)
    let written = all.filter { !delayed.contains($0) }
    let stored =
      switch written.count {
      case 0: all.isEmpty ? [Phrase("Nothing is stored.")] : []
      case 1: [Phrase("Stored in \(written[0]).")]
      default: [Phrase("Stored in \(written[0]) and \(written[1]).")]
      }
    return stored + all.filter(delayed.contains).map { Phrase("Not yet stored in \($0).") }
  }
}
