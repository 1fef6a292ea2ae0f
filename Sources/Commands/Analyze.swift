import ArgumentParser
import HRV
import Recording

/// What `analyze` computes.
enum MetricsSelection: String, CaseIterable, ExpressibleByArgument {
  case time
}

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

  @Option(name: .long, help: "Which metrics: time (time domain).")
  var metrics = MetricsSelection.time

  @Flag(name: .long, help: "One JSON object per file.")
  var json = false

  @OptionGroup var input: FileOptions

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
    let judging = raw ? BeatStream.Judging.none : .provisional
    switch try input.open(file) {
    case .rrText(let text):
      return SessionAnalysis(text: text, file: file, judging: judging)
    case .recording(let reader):
      return SessionAnalysis(events: reader.events(report: tellDamage), file: file, judging: judging)
    }
  }
}
