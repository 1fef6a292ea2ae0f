import ArgumentParser
import Formats
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Recording
import Reports
import Session
import SessionData
import Stress
import Terminal

struct ReplayCommand: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", _superCommandName: Stressmon.name,
    abstract: localized("Replay a recording, a list of RR intervals or a stored session."),
    discussion: localized(
      """
      Prints the output of the original session, with its settings and its baseline. Stores nothing.
      """) + "\n"
      + examples(
        "stressmon replay morning.jsonl --speed 10",
        "stressmon replay rr.txt --speed max --json",
        "stressmon replay --session 01K"))

  @Argument(
    help: .localized("A recording, or another file with one session; '-' is standard input."),
    completion: Completions.files)
  var file: String?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("A stored session, by the beginning of its ID."), valueName: "id"),
    completion: Completions.sessions)
  var session: String?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The speed of time: 1, a multiple such as 60, or max."), valueName: "n|max"))
  var speed = PaceArgument(.times(1))

  @Flag(name: .long, help: .localized("Treat every beat as normal (skip artefact detection)."))
  var raw = false

  @Flag(name: .long, help: .localized("Use the current baseline instead of the recorded one."))
  var useBaseline = false

  @OptionGroup(title: localized("Input options")) var input: FileOptions
  @OptionGroup(title: commonOptions) var engine: EngineOptions
  @OptionGroup(title: commonOptions) var view: ViewOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    guard (file == nil) != (session == nil) else {
      throw ValidationError(
        Phrase("replay requires one file or one --session. Example: stressmon replay morning.jsonl"))
    }
  }

  func perform() async throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    var replay = Replay(
      engine: engine, raw: raw, context: context, pace: speed.pace, view: view)
    if useBaseline {
      replay.baseline = try stored.reader()?.baseline(of: stored.profile) ?? .populationDefault
    }
    if let session {
      let found = try stored.session(session).info
      guard let reader = try stored.reader() else { return }
      return try await replay.run(found, reader.events(of: found.id))
    }
    guard let file else { return }
    let opened = try input.open(file).onlySession(report: reportProblem)
    if opened.format == .rr, opened.skipped > 0 {
      printDiagnostic("stressmon: " + localized("bad lines skipped: \(opened.skipped)"))
    }
    let header = opened.header
    try await replay.run(
      opened.events, session: header?.session, profile: header?.profile, settings: header?.settings,
      baseline: header?.baseline ?? .populationDefault,
      difference: header.flatMap { EngineDifference(recorded: $0.engine) })
  }
}

/// One replay, with its settings and its output.
private struct Replay: Sendable {
  let engine: EngineOptions
  let raw: Bool
  let context: CommandContext
  let pace: Pace
  let view: ViewOptions
  /// Replaces the recorded baseline.
  var baseline: Baseline?

  func run<Events: Sequence<SessionEvent> & Sendable>(
    _ events: Events, session: String? = nil, profile: String? = nil,
    settings: StressEngine.Settings? = nil, baseline ofThen: Baseline = .populationDefault,
    difference: EngineDifference? = nil
  ) async throws {
    if let difference { try state(difference, session: session, profile: profile) }
    let settings = engine.settings(context, base: settings, raw: raw)
    let engine = StressEngine(settings: settings, baseline: baseline ?? ofThen)
    let keys = view.terminalKeys(context.environment)
    defer { keys?.close() }
    let output = NonblockingOutput(blocks: true)
    let screen = Screen(keys: keys == nil ? [] : LiveKey.ofReplay, style: style, to: output)
    let keyboard = try keys.map { keys in
      view.speech.speak
        ? LiveKeyboard(keys, speaking: try view.spokenKeys(screen)) : LiveKeyboard(keys, screen)
    }
    let (pace, display) = (
      pace, ReplayDisplay(replay: self, session: session, profile: profile)
    )
    let end = try await keyboard.handlingKeys {
      try await runUntilInterrupted(until: keyboard?.untilQuit) {
        try await SessionPipeline(
          engine: engine, sinks: [display.presenter(on: screen, output)], endsSession: false
        ).run(PacedSource(events, pace: pace))
      }
    }
    try screen.endMessages()
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  var style: TerminalStyle { view.style(context) }

  private func state(_ difference: EngineDifference, session: String?, profile: String?) throws {
    if view.json {
      try StandardOutput().write(difference.json(session: session, profile: profile))
    } else {
      try StandardOutput().line(style.localized(difference.phrase))
    }
  }

  func run(_ stored: SessionInfo, _ events: StoredEvents) async throws {
    try await run(
      events, session: stored.id.text, profile: stored.profile, settings: stored.settings,
      baseline: stored.baseline, difference: EngineDifference(recorded: stored.engine))
    if let failure = events.failure { throw failure }
  }
}

/// The display of a replay.
private struct ReplayDisplay: Sendable {
  let replay: Replay
  let session: String?
  let profile: String?

  func presenter(on screen: Screen, _ output: NonblockingOutput) -> any SessionSink {
    let (view, style) = (replay.view, replay.style)
    if view.json { return JSONPresenter(session: session, profile: profile, to: output) }
    if view.speech.speak {
      return SpeechPresenter(LiveSpeech(style: style, every: view.speech.period), to: output)
    }
    guard view.usesScreen(replay.context.environment) else { return LinePresenter(style: style, to: output) }
    return screen.presenter(
      Screen.Block(
        screen: LiveScreen(
          style: style, footer: style.localized("Replay; nothing is stored. Ctrl-C ends the replay.")),
        profile: profile ?? "", alerts: SessionAlerts(onScreen: true)))
  }
}
