import ArgumentParser
import HRV
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// Compares two sides.
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", _superCommandName: Stressmon.name,
    abstract: localized(
      "Compare HRV of two recordings, sessions or times, and test whether RMSSD changed."),
    usage: "stressmon compare <a> <b> [<options>]",
    discussion: localized(
      """
      A and B are each one of: a recording or RR text; a stored session by the beginning of its ID, with or without \
      the prefix 'session:'; a part of either, such as FILE@1:00-6:00, FILE@-5m or session:01K@10m-; a part of a \
      breathing exercise, such as 01K@before, 01K@during or 01K@after; a time range of the history, such as \
      2026-11-20T10:00/2026-11-20T10:10 (the second date is optional). '-' is standard input. Nothing is stored.

      "Changed" means a larger difference than 95 % of the differences between two windows of one undisturbed rest \
      (docs/design/comparison.md).

      Conditions of several participants are compared by 'stressmon study', which pairs recordings by participant.
      """) + "\n\n"
      + examples(
        "stressmon compare before.jsonl after.jsonl",
        "stressmon compare night.jsonl@0:00-5:00 night.jsonl@10:00-15:00",
        "stressmon compare session:01K 2026-11-20T10:00/10:10 --json",
        "stressmon compare lab.xdf@rest_begin..rest_end lab.xdf@task_begin..task_end",
        "stressmon compare 01K@before 01M@before"))

  @Argument(
    help: ArgumentHelp(localized("The reference, for example the rest before."), valueName: "a"),
    completion: Completions.sessionsAndFiles)
  var a: String?

  @Argument(
    help: ArgumentHelp(localized("The part that is compared with the reference."), valueName: "b"),
    completion: Completions.sessionsAndFiles)
  var b: String?

  @OptionGroup var options: AnalysisOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The variability at rest that a change must exceed: that of the population (default: default), or its combination \
        with the person's own stored resting minutes (own). With the default, the result does not depend on the history.
        """),
      valueName: "name"))
  var baseline: Variability = .default

  /// The variability at rest that a comparison uses.
  enum Variability: String, CaseIterable, ExpressibleByArgument {
    case `default`, own
  }

  @Flag(name: .long, help: .localized("Print every metric, and why values are missing."))
  var details = false

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: localized("Input options")) var input: FileOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if json, details { throw ValidationError.exclusive("--json", "--details") }
    guard a != nil, b != nil else {
      throw ValidationError(
        Phrase("compare requires two sides. Example: stressmon compare before.jsonl after.jsonl"))
    }
    if a == "-", b == "-" {
      throw ValidationError(
        Phrase("only one of the two inputs can be standard input ('-'). Save the other to a file first."))
    }
    for text in [a, b].compactMap(\.self) {
      do throws(SourceSyntaxError) {
        _ = try ComparedSource(text, isFile: SessionFinder.isFile)
      } catch {
        throw ValidationError(error.message)
      }
    }
  }

  func run() throws {
    guard let a, let b else { return }
    options.like?.report()
    try compare(a, b)
  }

  private func compare(_ a: String, _ b: String) throws {
    let stored = try ProfileHistory(store)
    let sides = ComparedSides(
      location: stored.location, profile: stored.profile,
      methods: options.methods(onlyTopSeries: true), top: options.top, open: input.open,
      report: reportProblem)
    let before = try sides.side(ComparedSource(a, isFile: SessionFinder.isFile), named: a)
    let after = try sides.side(ComparedSource(b, isFile: SessionFinder.isFile), named: b)
    let person = person(before, after)
    let comparison = SessionComparison(
      before, after, selection: options.metrics,
      variability: baseline == .own ? try variability(of: person, stored.location) : .populationDefault)
    let report = ComparisonReport(
      comparison: comparison, profile: person,
      provenance: Provenance(options.methods(onlyTopSeries: true), top: options.top))
    let output = StandardOutput()
    if json {
      try output.write(report.json)
    } else {
      try output.write(report.text(isComplete: details || options.metrics != nil))
    }
  }

  /// The profile whose variability at rest is used: that of --profile, else that of both sides.
  private func person(_ a: ComparedSide, _ b: ComparedSide) -> String? {
    store.profile?.name ?? (a.profile == b.profile ? a.profile : nil)
  }

  /// The variability of the profile; the population default if there are too few data or the history cannot be read.
  private func variability(of person: String?, _ location: StoreLocation) throws -> RestVariability {
    guard let person else { return .populationDefault }
    do {
      return try HistoryReader(location)?.restVariability(of: person) ?? .populationDefault
    } catch {
      let cause = localized(Phrase(of: error))
      printDiagnostic("stressmon: \(cause)\nstressmon: " + localized("comparing without the history"))
      return .populationDefault
    }
  }
}
