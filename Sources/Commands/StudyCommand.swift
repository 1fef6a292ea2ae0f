import ArgumentParser
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// Analyzes the recordings of a study.
struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", _superCommandName: Stressmon.name,
    abstract: localized(
      "Analyze a study: participants, conditions and segments in one table and one report."),
    discussion: localized(
      """
      A study is a folder with the settings study.toml. 'new' writes a commented example, 'check' lists what is missing, \
      duplicate or too short before anything is computed, and 'run' writes the results to the folder 'results': \
      segments.csv, comparison.csv, report.html, report.md and provenance.json. Recordings are paired by participant and \
      condition, never by position. docs/guide/studies.md describes the settings.
      """) + "\n"
      + examples(
        "stressmon study new experiment", "stressmon study check experiment",
        "stressmon study run experiment",
        "stressmon study bids experiment --output dataset"),
    subcommands: [New.self, Check.self, Run.self, BIDS.self])

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: localized("Write a commented study.toml to a folder."),
      discussion: examples("stressmon study new experiment"))

    @OptionGroup var study: StudyArgument

    func run() throws {
      let path = "\(study.folder)/\(StudyFile.name)"
      try Folder.create(study.folder)
      try OutputFile(path: path, replacing: false).write(Array(StudyFile.example.utf8))
      printDiagnostic("stressmon: " + localized("wrote \(path.printable)"))
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: localized("List what is missing, duplicate, unreadable or too short."),
      discussion: localized("Nothing is computed or written. Exit code 3 means that something was found.")
        + "\n"
        + examples("stressmon study check experiment", "stressmon study check experiment --json"))

    @OptionGroup var study: StudyArgument

    @Flag(name: .long, help: .localized("Print one JSON object."))
    var json = false

    func run() throws {
      let (plan, inventory) = try study.checked()
      let text = StudyCheckText(plan, inventory)
      try StandardOutput().write(json ? text.json : Array(text.text.utf8))
      if !inventory.findings.isEmpty { throw ExitCode(ExitStatus.badData.rawValue) }
    }
  }

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: localized("Compute the table and the report of a study."),
      discussion: localized(
        """
        Uses all cores. Results are replaced; --resume computes only recordings and settings that changed since the last \
        run, also after an interruption. Missing recordings are reported, and their rows state the reason; the exit code is \
        then 3.
        """) + "\n"
        + examples("stressmon study run experiment", "stressmon study run experiment --resume"))

    @OptionGroup var study: StudyArgument

    @Flag(name: .long, help: .localized("Reuse the results of unchanged recordings."))
    var resume = false

    func run() throws {
      let plan = try StudyFile(folder: study.folder).plan
      var inventory = try StudyInventory(plan, folder: study.folder)
      guard !inventory.recordings.isEmpty else {
        let pattern = plan.recordings.text.printable
        throw CommandFailure(
          .badData,
          Phrase("no recording matches \(pattern). List what is wrong with: stressmon study check"))
      }
      let results = StudyResults(folder: "\(study.folder)/results", plan)
      let rows = try results.rows(inventory, resume: resume)
      inventory.add(problemsOf: rows, plan)
      let comparison = StudyComparison(plan, inventory, rows)
      try results.write(rows, comparison, StudyReport(plan, inventory, rows, comparison))
      let output = StandardOutput()
      try output.write(StudyCheckText(plan, inventory).text)
      try output.write(results.list)
      if !inventory.findings.isEmpty { throw ExitCode(ExitStatus.badData.rawValue) }
    }
  }
}

extension StudyCommand {
  struct BIDS: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bids", abstract: localized("Write the recordings of a study as one BIDS dataset."),
      discussion: localized(
        """
        Participants become sub-P01, conditions task-rest, and sessions ses-01. The files of other participants of an existing \
        dataset are never changed.
        """) + "\n" + examples("stressmon study bids experiment --output dataset"))

    @OptionGroup var study: StudyArgument

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(localized("The folder of the dataset."), valueName: "folder"),
      completion: Completions.files)
    var output: String

    @Flag(name: .long, help: .localized("Replace the files of the same participants, sessions and tasks."))
    var force = false

    func run() throws {
      let plan = try StudyFile(folder: study.folder).plan
      let inventory = try StudyInventory(plan, folder: study.folder)
      try StudyDataset(plan: plan, inventory: inventory).write(to: output, replacing: force)
      printDiagnostic("stressmon: " + localized("wrote \(output.printable)"))
    }
  }
}

/// The folder of a study.
struct StudyArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      localized("The folder of the study (default: the current folder)."), valueName: "folder"),
    completion: Completions.files)
  var path = "."

  var folder: String { path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// The plan, and the recordings after they were read.
  func checked() throws -> (StudyPlan, StudyInventory) {
    let plan = try StudyFile(folder: folder).plan
    var inventory = try StudyInventory(plan, folder: folder)
    let progress = StudyProgress("checking", of: inventory.recordings.count)
    inventory.readRecordings(plan) { progress.update($0) }
    progress.clear()
    return (plan, inventory)
  }
}
