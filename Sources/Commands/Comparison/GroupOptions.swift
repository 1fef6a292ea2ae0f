import ArgumentParser
import Formats
import HRV
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// The comparison of two groups of sessions.
struct GroupOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      localized("Compare groups: the sessions of group A (files or stored sessions)."), valueName: "a ..."),
    completion: Completions.sessionsAndFiles)
  var groups: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(localized("With --groups: the sessions of group B."), valueName: "b ..."),
    completion: Completions.sessionsAndFiles)
  var with: [String] = []

  @Flag(
    name: .long,
    help: .localized(
      """
      With --groups: pair the sessions by participant, the part of their names that is not the condition.
      """))
  var paired = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Compare the pairs of sessions in this table instead of --groups: one pair per line, A and B separated by a \
        tab, a comma or a semicolon.
        """),
      valueName: "file"), completion: Completions.files)
  var pairs: String?

  @Flag(name: .long, help: .localized("With --groups: print a CSV table (RFC 4180), one row per metric."))
  var csv = false

  var isGiven: Bool { !groups.isEmpty || !with.isEmpty || pairs != nil }

  func validate() throws {
    let example = "compare --groups rest/*.txt --with task/*.txt"
    if pairs != nil, !groups.isEmpty || !with.isEmpty || paired {
      throw ValidationError.exclusive("--pairs", paired ? "--paired" : "--groups")
    }
    if groups.isEmpty != with.isEmpty {
      let (given, missing) = groups.isEmpty ? ("--with", "--groups") : ("--groups", "--with")
      throw ValidationError.requires(given, missing, example: example)
    }
    if !isGiven, paired || csv {
      throw ValidationError.requires(paired ? "--paired" : "--csv", "--groups", example: example)
    }
  }

  /// The pairs of --pairs or --paired. Independent groups have none.
  func sessionPairs() throws -> SessionPairs? {
    if let pairs { return try PairList(path: pairs).pairs }
    guard paired else { return nil }
    do throws(SessionPairs.Failure) {
      return try SessionPairs(groups, with)
    } catch {
      switch error {
      case .noPair:
        throw CommandFailure(
          .usage,
          Phrase(
            """
            --paired: no session of A has the participant of a session of B. A: \(RRText.BadLine.list(groups)). B: \
            \(RRText.BadLine.list(with)). Name the pairs in a file: --pairs pairs.csv
            """))
      case .ambiguous(let key, let names):
        throw CommandFailure(
          .usage,
          Phrase(
            """
            --paired: several sessions of one group belong to '\(key.printable)': \(RRText.BadLine.list(names)). Leave out all \
            but one, or name the pairs in a file: --pairs pairs.csv
            """))
      }
    }
  }
}

/// A table with a pair of sessions in each line.
struct PairList {
  let pairs: SessionPairs

  private static let largest = 16 << 20

  init(path: String) throws {
    let source = try ByteSource(path: path)
    guard let bytes = try source.readAll(limit: Self.largest) else {
      throw CommandFailure(.badData, Phrase("\(path.printable) is larger than \(Self.largest >> 20) MiB"))
    }
    var pairs: [SessionPairs.Pair] = []
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
      let cells = Self.cells(line)
      guard cells.count == 2, cells.allSatisfy({ !$0.isEmpty }) else {
        throw CommandFailure(
          .badData,
          Phrase(
            """
            \(path.printable): line \(index + 1) is not a pair: write the sessions A and B of a pair in one line, separated by a \
            tab, a comma or a semicolon
            """))
      }
      if index == 0, cells.map({ $0.lowercased() }) == ["a", "b"] { continue }
      pairs.append(SessionPairs.Pair(a: cells[0], b: cells[1]))
    }
    try Self.requireUnique(pairs, path)
    self.pairs = SessionPairs(pairs)
  }

  private static func cells(_ line: Substring) -> [String] {
    let line = line.drop { $0 == "\u{FEFF}" }
    let separator = ["\t", ";", ","].first { (separator: Character) in line.contains(separator) } ?? "\t"
    return line.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      let start = cell.drop { $0.isWhitespace || $0 == "\"" }
      let end = start.lastIndex { !$0.isWhitespace && $0 != "\"" }
      return end.map { String(start[...$0]) } ?? ""
    }
  }

  private static func requireUnique(_ pairs: [SessionPairs.Pair], _ path: String) throws {
    let names = pairs.map(\.a) + pairs.map(\.b)
    guard let twice = Dictionary(grouping: names, by: { $0 }).first(where: { $0.value.count > 1 }) else {
      return
    }
    throw CommandFailure(
      .badData,
      Phrase("\(path.printable): \(twice.key.printable) is in several pairs; each session belongs to one"))
  }
}

/// Reads two groups of sessions, and compares those that can be read.
struct GroupReader {
  let options: GroupOptions
  let input: AnalysisInput
  private let progress = ProgressLine(localized("analyzing"), .current)

  init(_ options: GroupOptions, _ input: AnalysisInput) { (self.options, self.input) = (options, input) }

  /// The comparison of the sessions that could be read, and the failures of the others, which are printed.
  func report(_ selection: MetricsSelection) throws -> (report: GroupReport, failures: [CommandFailure]) {
    defer { progress.clear() }
    var failures: [CommandFailure] = []
    var (a, b): ([SessionAnalysis?], [SessionAnalysis?]) = ([], [])
    let list = try options.sessionPairs()
    let (groups, with) = list.map { ($0.pairs.map(\.a), $0.pairs.map(\.b)) } ?? (options.groups, options.with)
    let count = groups.count + with.count
    for (place, name) in (groups + with).enumerated() {
      let found = try analysis(name, &failures)
      if place < groups.count { a.append(found) } else { b.append(found) }
      progress.update(Double(place + 1) / Double(count), detail: localized("\(place + 1) of \(count)"))
    }
    guard let list else {
      return (GroupReport(a.compactMap(\.self), b.compactMap(\.self), selection: selection), failures)
    }
    let read = zip(list.pairs, zip(a, b)).compactMap { pair, sides in
      sides.0.flatMap { a in sides.1.map { (pair: pair, a: a, b: $0) } }
    }
    let report = GroupReport(
      read.map(\.a), read.map(\.b), pairs: SessionPairs(read.map(\.pair), unpaired: list.unpaired),
      selection: selection)
    return (report, failures)
  }

  /// The analysis of an input that contains one session. If it cannot be read, prints the failure and returns `nil`.
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
