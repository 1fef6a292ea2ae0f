import ArgumentParser
import Recording
import Terminal

/// Synchronous: it has nothing to wait for, and a day of beats is done before a concurrency runtime has started.
struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze", _superCommandName: Stressmon.name,
    abstract: "Compute HRV metrics of recordings or lists of RR intervals.",
    discussion: """
      Reads recordings made by stressmon, text with one RR interval per line (ms or s) or in a column of a table, and the
      files of other programs (docs/formats.md). '-' is standard input. A file that cannot be read is reported on standard
      error; the others are analyzed, and the exit code is 3.
      Example: stressmon analyze morning.jsonl
      Example: stressmon analyze --raw --json rr.txt
      Example: stressmon analyze --column IBI subject1.csv subject2.csv
      Example: stressmon analyze night.jsonl --window 5m --step 1m
      Example: stressmon analyze morning.jsonl --plot morning.svg --beats morning.csv
      """)

  @Argument(help: ArgumentHelp("The files.", valueName: "file"))
  var files: [String]

  @Flag(name: .long, help: "Take every beat for normal: judge nothing.")
  var raw = false

  @Flag(name: .long, help: "Put the series with artefacts corrected at the top, instead of the normal beats.")
  var corrected = false

  @Option(
    name: .long,
    help: "Which metrics: time, frequency, nonlinear or all (default: all below 20,000 beats, else time).")
  var metrics: MetricsSelection?

  @Option(
    name: .long,
    help: ArgumentHelp("Metrics over time instead, of windows this long.", valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "From one window to the next (default: the length of a window).", valueName: "duration"))
  var step: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write each beat and its verdict to this CSV file; for several inputs, one named after each.",
      valueName: "file.csv"))
  var beats: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Draw tachogram, Poincare plot and spectrum into this SVG file, or PNG where its name ends so (needs rsvg-convert); "
        + "for several inputs, one named after each.",
      valueName: "file.svg"))
  var plot: String?

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  @Flag(name: .long, help: "One JSON object per file, or per window.")
  var json = false

  @OptionGroup var input: FileOptions

  func validate() throws {
    if raw, corrected { throw ValidationError("Choose one of --raw and --corrected.") }
    if raw, beats != nil {
      throw ValidationError("--beats writes verdicts, and --raw judges nothing: leave out one of them.")
    }
    if step != nil, window == nil { throw ValidationError("--step needs --window.") }
    for (name, length) in [("window", window), ("step", step)] {
      guard let length, length.duration < .seconds(1) else { continue }
      throw ValidationError("'--\(name) \(length.duration.shortText)' is too short: it takes 1s and more.")
    }
    if let plot, ResultFiles.Content.plot(in: plot) == nil {
      throw ValidationError(
        "A plot is an .svg or a .png file, and '\(plot.printable)' is neither: try --plot plot.svg")
    }
    if force, beats == nil, plot == nil { throw ValidationError("--force needs --beats or --plot.") }
  }

  func run() throws {
    let wanted =
      (beats.map { [(content: ResultFiles.Content.beats, path: $0)] } ?? [])
      + (plot.flatMap { path in ResultFiles.Content.plot(in: path).map { [(content: $0, path: path)] } } ?? [])
    var results = try ResultFiles(wanted, inputs: files, replacing: force)
    defer { results.discard() }
    let output = StandardOutput()
    var isFirst = true
    var failures: [CommandFailure] = []
    for (place, file) in files.enumerated() {
      do {
        try analyses(file) { analysis in
          let text = try rendered(analysis)
          if !json, !isFirst { try output.write("\n") }
          isFirst = false
          try output.write(text)
          try results.write(analysis, at: place)
        }
      } catch {
        failures.append(try Self.failure(of: file, error))
      }
    }
    try end(with: failures)
  }

  /// The failure to report about one file.
  /// - Throws: `error` itself where it does not concern that file alone.
  private static func failure(of file: String, _ error: any Error) throws -> CommandFailure {
    guard let failure = CommandFailure(error), error is RecordingError || failure.status == .badData else {
      throw error
    }
    say("stressmon: \(failure.description)")
    return failure
  }

  /// Ends with exit code 3 where a file holds bad data, else with that of the first failure.
  private func end(with failures: [CommandFailure]) throws {
    guard let first = failures.first else { return }
    if files.count > 1 { say("stressmon: \(failures.count) of \(files.count) files could not be analyzed") }
    let status = failures.contains { $0.status == .badData } ? .badData : first.status
    throw ExitCode(status.rawValue)
  }

  private func rendered(_ analysis: SessionAnalysis) throws -> [UInt8] {
    guard let window else {
      let report = AnalysisReport(analysis: analysis)
      return json ? report.json : Array(report.text.utf8)
    }
    let step = step ?? window
    let windows = try AnalysisWindows(analysis, length: window.duration, step: step.duration)
    return json ? windows.json : Array(windows.text.utf8)
  }

  /// Hands on the analysis of each session in the file.
  private func analyses(_ file: String, _ take: (SessionAnalysis) throws -> Void) throws {
    let top = raw ? SessionAnalysis.Top.raw : corrected ? .corrected : .normal
    switch try input.open(file) {
    case .rrText(let text):
      try take(
        SessionAnalysis(
          text: text, file: file, top: top, selection: metrics, keepsBeats: window != nil || plot != nil))
    case .recording(let reader):
      try take(
        SessionAnalysis(
          events: reader.events(report: tellDamage), file: file, started: reader.header.started, top: top,
          selection: metrics))
    case .other(let formatted):
      var count = 0
      func each(_ session: FileSession) throws {
        count += 1
        try take(
          SessionAnalysis(
            events: session.events, file: count > 1 ? "\(file)#\(count)" : file,
            format: formatted.format.rawValue, started: session.started?.time, top: top, selection: metrics,
            skipped: session.skipped))
      }
      // A file of results is for one session.
      if beats != nil || plot != nil { return try each(formatted.onlySession(report: tellFlaw)) }
      try formatted.sessions(report: tellFlaw, each)
    }
  }
}

extension MetricsSelection: ExpressibleByArgument {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}
