import ArgumentParser
import HeartRate
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Terminal

/// Synchronous, because starting the concurrency runtime takes longer than analyzing a day of beats.
struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze", _superCommandName: Stressmon.name,
    abstract: localized("Compute HRV metrics of recordings, stored sessions or lists of RR intervals."),
    discussion: localized(
      """
      Reads recordings made by stressmon, text with one RR interval per line (ms or s) or in a column of a table, the \
      files of other programs (docs/reference/formats.md), and stored sessions by the beginning of their IDs.

      A part of an input is selected as in 'compare': FILE@1:00-6:00, 01K@-5m, 01K@before, or between two marks, \
      FILE@begin..end. '-' is standard input. An \
      input that cannot be read is reported on standard error; the others are analyzed, and the exit code is 3.
      Metrics: time: Mean NN, Mean HR, SDNN, RMSSD, ln RMSSD, SDSD, pNN50, pNN20, SD1, SD2, Min HR (beat), Max HR \
      (beat); frequency: VLF, LF, HF, Total power, LF/HF, LF nu, HF nu, Respiration; nonlinear: DFA alpha1, DFA \
      alpha2, SampEn, ApEn, Baevsky SI, PNS index, SNS index; long-term: Triangular index, TINN, SDANN, SDNN index, \
      ULF (docs/reference/metrics.md).
      """) + "\n"
      + examples(
        "stressmon analyze morning.jsonl",
        "stressmon analyze --raw --json rr.txt",
        "stressmon analyze --column IBI subject1.csv subject2.csv",
        "stressmon analyze night.jsonl --window 5m --step 1m",
        "stressmon analyze lab.xdf --segment task=begin..end --csv",
        "stressmon analyze morning.jsonl --ecg",
        "stressmon analyze morning.jsonl --plot morning.svg --beats morning.csv",
        "stressmon analyze study/*.txt --csv --window 5m",
        "stressmon analyze 01KA@-5m --psd ar --detrend smoothness-priors",
        "stressmon analyze ride.fit --alpha1"))

  @Argument(
    help: ArgumentHelp(localized("The files or stored sessions to analyze."), valueName: "file"),
    completion: Completions.sessionsAndFiles)
  var files: [String]

  @OptionGroup var options: AnalysisOptions

  @Flag(
    name: .long,
    help: .localized(
      """
      Compare the beats and their verdicts with the R peaks of the recorded electrocardiogram (record --ecg).
      """)
  )
  var ecg = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Compute the metrics of consecutive windows of this length instead."), valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --window: the time from one window to the next (default: the window)."),
      valueName: "duration"))
  var step: DurationArgument?

  @OptionGroup var parts: SegmentOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Write every beat with its verdict to this CSV file; for several inputs, one file per input.
        """),
      valueName: "file.csv"), completion: Completions.files)
  var beats: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Draw tachogram, Poincare plot and spectrum to this .svg, .png or .pdf file (PNG and PDF need rsvg-convert); for several \
        inputs, one file per input. A file .json next to it states the methods.
        """),
      valueName: "file.svg"), completion: Completions.files)
  var plot: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --plot: the title of the figure (default: the name of the file without its folder)."),
      valueName: "text"))
  var title: String?

  @Flag(name: .long, help: .localized("Replace existing files."))
  var force = false

  @Flag(name: .long, help: .localized("Print one JSON object per file, or per window."))
  var json = false

  @Flag(
    name: .long,
    help: .localized(
      """
      Print a CSV table (RFC 4180): one row per session, or per window, with a column for every metric.
      """))
  var csv = false

  @Flag(
    name: .long,
    help: .localized(
      """
      Print DFA alpha1 over time (windows of 2 min every 30 s) and the heart rate at which it falls to 0.75.
      """)
  )
  var alpha1 = false

  @OptionGroup(title: localized("Input options")) var input: FileOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if json, csv { throw ValidationError.exclusive("--json", "--csv") }
    if alpha1, csv { throw ValidationError.exclusive("--alpha1", "--csv") }
    if alpha1, let metrics = options.metrics, !metrics.includesNonlinear {
      throw ValidationError.exclusive("--alpha1", "--metrics \(metrics.rawValue)")
    }
    for (name, isGiven) in [("--window", window != nil), ("--alpha1", alpha1), ("--ecg", ecg)]
    where !parts.segments.isEmpty && isGiven {
      throw ValidationError.exclusive(parts.segment.isEmpty ? "--epoch" : "--segment", name)
    }
    if ecg, !options.classifies { throw ValidationError.exclusive("--ecg", "--raw") }
    for (name, isGiven) in [("--window", window != nil), ("--csv", csv), ("--alpha1", alpha1)]
    where ecg && isGiven {
      throw ValidationError.exclusive("--ecg", name)
    }
    if !options.classifies, beats != nil {
      throw ValidationError(Phrase("--beats writes verdicts, and --raw skips them: leave out one of them."))
    }
    if step != nil, window == nil, !alpha1 {
      throw ValidationError.requires("--step", "--window", example: "--window 5m --step 1m")
    }
    for (name, length) in [("window", window), ("step", step)] {
      try length?.duration.requireAtLeast(.seconds(1), "--\(name)", example: "1m")
    }
    try PlotOptions.requireFormat(plot)
    if title != nil, plot == nil {
      throw ValidationError.requires("--title", "--plot", example: "--plot rest.pdf --title Rest")
    }
    if force, beats == nil, plot == nil {
      throw ValidationError.requires("--force", "--beats", or: "--plot", example: "--plot plot.svg --force")
    }
  }

  func run() throws {
    options.like?.report()
    var wanted = beats.map { [(content: ResultFiles.Content.beats, path: $0)] } ?? []
    if let plot, let format = PlotFormat(path: plot) {
      let style = try FigureStyle(CommandContext())
      wanted.append((content: .plot(format, style, title: title), path: plot))
      wanted.append((content: .provenance, path: "\(plot).json"))
    }
    var results = try ResultFiles(wanted, inputs: files, replacing: force)
    defer { results.discard() }
    let printer = AnalysisPrinter(
      format: format, window: window?.duration, step: step?.duration, segments: parts.segments)
    let progress = ProgressLine(localized("analyzing"), .current)
    defer { progress.clear() }
    let reader = reader
    var failures: [CommandFailure] = []
    for (place, file) in files.enumerated() {
      do {
        try reader.analyses(file) { analysis in
          progress.clear()
          try printer.print(analysis)
          try results.write(analysis, at: place)
        }
      } catch {
        progress.clear()
        failures.append(try Self.failure(of: file, error))
      }
      progress.update(
        Double(place + 1) / Double(files.count), detail: localized("\(place + 1) of \(files.count)"))
    }
    try end(with: failures)
  }

  private var format: AnalysisPrinter.Format {
    alpha1 ? (json ? .alphaJSON : .alphaText) : csv ? .csv : json ? .json : .text
  }

  private var hasWindows: Bool { window != nil || !parts.segments.isEmpty }

  private var reader: AnalysisInput {
    AnalysisInput(
      files: input, store: store, top: options.top, comparesECG: ecg,
      methods: options.methods(onlyTopSeries: csv || alpha1 || hasWindows),
      selection: alpha1 ? .nonlinear : options.metrics ?? (csv ? .all : nil),
      keepsBeats: hasWindows || plot != nil || alpha1, isSingle: beats != nil || plot != nil,
      hasDigests: json || csv || plot != nil)
  }

  /// The failure to report about one file.
  /// - Throws: `error` if it does not concern that file alone.
  private static func failure(of file: String, _ error: any Error) throws -> CommandFailure {
    guard let failure = CommandFailure(error), failure.concernsOneInput(error) else {
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
}

extension CommandFailure {
  /// Whether the failure concerns one input only. The others can then be analyzed.
  func concernsOneInput(_ error: any Error) -> Bool {
    error is FileError || error is ReportError || status == .badData
  }
}
