import ArgumentParser
import Recording

/// Synchronous: it has nothing to wait for, and a day of beats is done before a concurrency runtime has started.
struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Compute HRV metrics of recordings or lists of RR intervals.",
    discussion: """
      Reads recordings made by stressmon, and text with one RR interval per line (ms or s). '-' is standard input.
      Example: stressmon analyze morning.jsonl
      Example: stressmon analyze --raw --json rr.txt
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

  @Flag(name: .long, help: "One JSON object per file.")
  var json = false

  @OptionGroup var input: FileOptions

  func validate() throws {
    if raw, corrected { throw ValidationError("Choose one of --raw and --corrected.") }
  }

  func run() throws {
    let output = StandardOutput()
    for (place, file) in files.enumerated() {
      let report = AnalysisReport(analysis: try analysis(file))
      if json {
        try report.json.withUnsafeBytes { try output.write($0) }
      } else {
        try output.write((place > 0 ? "\n" : "") + report.text)
      }
    }
  }

  private func analysis(_ file: String) throws -> SessionAnalysis {
    let top = raw ? SessionAnalysis.Top.raw : corrected ? .corrected : .normal
    switch try input.open(file) {
    case .rrText(let text):
      return SessionAnalysis(text: text, file: file, top: top, selection: metrics)
    case .recording(let reader):
      return SessionAnalysis(
        events: reader.events(report: tellDamage), file: file, top: top, selection: metrics)
    }
  }
}

extension MetricsSelection: ExpressibleByArgument {}
