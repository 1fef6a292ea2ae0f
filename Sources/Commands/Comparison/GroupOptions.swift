import ArgumentParser
import HRV
import Localization
import Platform
import Reports
import Terminal

/// The comparison of two groups of sessions.
struct GroupOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Compare groups: the sessions of group A (files or stored sessions).", valueName: "a ..."),
    completion: Completions.sessionsAndFiles)
  var groups: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp("With --groups: the sessions of group B.", valueName: "b ..."),
    completion: Completions.sessionsAndFiles)
  var with: [String] = []

  @Flag(name: .long, help: "With --groups: session i of A and session i of B belong together.")
  var paired = false

  @Flag(name: .long, help: "With --groups: print a CSV table (RFC 4180), one row per metric.")
  var csv = false

  var isGiven: Bool { !groups.isEmpty || !with.isEmpty }

  func validate() throws {
    let example = "compare --groups rest/*.txt --with task/*.txt"
    if groups.isEmpty != with.isEmpty {
      let (given, missing) = groups.isEmpty ? ("--with", "--groups") : ("--groups", "--with")
      throw ValidationError.requires(given, missing, example: example)
    }
    if !isGiven, paired || csv {
      throw ValidationError.requires(paired ? "--paired" : "--csv", "--groups", example: example)
    }
    if paired, groups.count != with.count {
      throw ValidationError(
        Phrase(
          "--paired requires groups of equal size: A has \(groups.count) sessions, and B has \(with.count)."))
    }
  }
}

/// Reads two groups of sessions, and compares those that can be read.
struct GroupReader {
  let options: GroupOptions
  let input: AnalysisInput
  private let progress = ProgressLine("analyzing", .current)

  init(_ options: GroupOptions, _ input: AnalysisInput) { (self.options, self.input) = (options, input) }

  /// The comparison of the sessions that could be read, and the failures of the others, which are printed.
  func report(_ selection: MetricsSelection) throws -> (report: GroupReport, failures: [CommandFailure]) {
    defer { progress.clear() }
    var failures: [CommandFailure] = []
    var (a, b): ([SessionAnalysis?], [SessionAnalysis?]) = ([], [])
    let count = options.groups.count + options.with.count
    for (place, name) in (options.groups + options.with).enumerated() {
      let found = try analysis(name, &failures)
      if place < options.groups.count { a.append(found) } else { b.append(found) }
      progress.update(Double(place + 1) / Double(count), detail: "\(place + 1) of \(count)")
    }
    let pairs = zip(a, b).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
    let report =
      options.paired
      ? GroupReport(pairs.map(\.0), pairs.map(\.1), design: .paired, selection: selection)
      : GroupReport(a.compactMap(\.self), b.compactMap(\.self), design: .independent, selection: selection)
    return (report, failures)
  }

  /// The analysis of an input that contains one session; nil if it cannot be read, which is printed.
  private func analysis(_ name: String, _ failures: inout [CommandFailure]) throws -> SessionAnalysis? {
    do {
      var found: SessionAnalysis?
      try input.analyses(name) { found = $0.withoutBeats }
      return found
    } catch {
      guard let failure = CommandFailure(error), failure.concernsOneInput(error) else { throw error }
      progress.clear()
      failure.print()
      failures.append(failure)
      return nil
    }
  }
}
