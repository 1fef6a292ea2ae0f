import ArgumentParser
import HeartRate
import Localization
import Platform
import Reports
import Terminal

/// Synchronous, because starting the concurrency runtime takes longer than analyzing a day of beats.
struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze", _superCommandName: Stressmon.name,
    abstract: "Compute HRV metrics of recordings or lists of RR intervals.",
    discussion: """
      Reads recordings made by stressmon, text with one RR interval per line (ms or s) or in a column of a table, and the
      files of other programs (docs/reference/formats.md). '-' is standard input. A file that cannot be read is reported on standard
      error; the others are analyzed, and the exit code is 3.
      Metrics: time: Mean NN, Mean HR, SDNN, RMSSD, ln RMSSD, SDSD, pNN50, pNN20, SD1, SD2, Min HR, Max HR; \
      frequency: VLF, LF, HF, Total power, LF/HF, LF nu, HF nu, Respiration; nonlinear: DFA alpha1, SampEn, Baevsky SI \
      (docs/metrics.md).
      Example: stressmon analyze morning.jsonl
      Example: stressmon analyze --raw --json rr.txt
      Example: stressmon analyze --column IBI subject1.csv subject2.csv
      Example: stressmon analyze night.jsonl --window 5m --step 1m
      Example: stressmon analyze morning.jsonl --plot morning.svg --beats morning.csv
      """)

  @Argument(help: ArgumentHelp("The files to analyze.", valueName: "file"), completion: Completions.files)
  var files: [String]

  @Flag(name: .long, help: "Treat every beat as normal (skip artefact detection).")
  var raw = false

  @Flag(name: .long, help: "Report the series with corrected artefacts first, instead of the normal beats.")
  var corrected = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The metrics to compute (default: all below 20,000 beats, else time).", valueName: "metrics"))
  var metrics: MetricsSelection?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compute the metrics of consecutive windows of this length instead.", valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --window: the time from one window to the next (default: the window).", valueName: "duration"))
  var step: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write every beat with its verdict to this CSV file; for several inputs, one file per input.",
      valueName: "file.csv"), completion: Completions.files)
  var beats: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Draw tachogram, Poincare plot and spectrum to this .svg or .png file (PNG needs rsvg-convert); for several "
        + "inputs, one file per input.",
      valueName: "file.svg"), completion: Completions.files)
  var plot: String?

  @Flag(name: .long, help: "Replace existing files.")
  var force = false

  @Flag(name: .long, help: "Print one JSON object per file, or per window.")
  var json = false

  @OptionGroup(title: "Input options") var input: FileOptions

  func validate() throws {
    if raw, corrected {
      throw ValidationError.exclusive("--raw", "--corrected")
    }
    if raw, beats != nil {
      throw ValidationError(Phrase("--beats writes verdicts, and --raw skips them: leave out one of them."))
    }
    if step != nil, window == nil {
      throw ValidationError.requires("--step", "--window", example: "--window 5m --step 1m")
    }
    for (name, length) in [("window", window), ("step", step)] {
      try length?.duration.requireAtLeast(.seconds(1), "--\(name)", example: "1m")
    }
    if let plot, ResultFiles.Content.plot(in: plot) == nil {
      throw ValidationError(
        Phrase("'--plot \(plot.printable)' is neither an .svg nor a .png file. Example: --plot plot.svg"))
    }
    if force, beats == nil, plot == nil {
      throw ValidationError.requires("--force", "--beats", or: "--plot", example: "--plot plot.svg --force")
    }
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
  /// - Throws: `error` if it does not concern that file alone.
  private static func failure(of file: String, _ error: any Error) throws -> CommandFailure {
    guard let failure = CommandFailure(error), error is FileError || failure.status == .badData else {
      throw error
    }
    failure.print()
    return failure
  }

  /// Ends with exit code 3 if a file has bad data, else with the exit code of the first failure.
  private func end(with failures: [CommandFailure]) throws {
    guard let first = failures.first else { return }
    if files.count > 1 {
      CommandFailure(
        first.status, Phrase("\(failures.count) of \(files.count) files could not be analyzed")
      ).print()
    }
    let status = failures.contains { $0.status == .badData } ? .badData : first.status
    throw ExitCode(status.rawValue)
  }

  private func rendered(_ analysis: SessionAnalysis) throws -> [UInt8] {
    guard let window else { return json ? analysis.json : Array(AnalysisText(analysis: analysis).text.utf8) }
    let step = step ?? window
    guard let windows = AnalysisWindows(analysis, length: window.duration, step: step.duration) else {
      throw Self.tooShort(analysis, for: window.duration)
    }
    return json ? windows.json : Array(AnalysisWindowsText(windows).text.utf8)
  }

  private static func tooShort(_ analysis: SessionAnalysis, for window: Duration) -> CommandFailure {
    let seconds = SessionTime(ticks: analysis.duration).seconds
    return CommandFailure(
      .badData,
      Phrase(
        """
        \(analysis.file.printable) lasts \(seconds.fixed(1)) s, too short for a window of \(window.shortText); choose a \
        shorter one, such as --window \(Int(max(1, seconds / 2)))
        """))
  }

  /// Calls `body` with the analysis of each session in the file.
  private func analyses(_ file: String, _ body: (SessionAnalysis) throws -> Void) throws {
    let top = raw ? SessionAnalysis.Top.raw : corrected ? .corrected : .normal
    let opened = try input.open(file)
    if case .rrText(let text) = opened {
      return try body(
        SessionAnalysis(
          text: text, file: file, top: top, selection: metrics, keepsBeats: window != nil || plot != nil))
    }
    var count = 0
    func analyze(_ session: OpenedSession) throws {
      count += 1
      let name = count > 1 ? "\(file)#\(count)" : file
      try body(SessionAnalysis(session, file: name, top: top, selection: metrics))
    }
    // A file of results contains one session.
    if beats != nil || plot != nil { return try analyze(opened.onlySession(report: reportProblem)) }
    try opened.forEachSession(report: reportProblem, analyze)
  }
}

extension MetricsSelection: ExpressibleByArgument {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}
