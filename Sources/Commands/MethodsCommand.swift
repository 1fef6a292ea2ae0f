import ArgumentParser
import JSONLines
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// Prints the paragraph about methods for a paper. English only, as the publications that it cites.
struct MethodsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "methods", _superCommandName: Stressmon.name,
    abstract: localized("Print the methods of an analysis as a paragraph with references."),
    discussion: localized(
      """
      Names the program and its version, the classification, the spectrum with its parameters and the tests, for a study or \
      for an analysis of a file with the same options as 'analyze'. The references are also in \
      docs/reference/references.bib, under the printed keys. The text is in English.
      """) + "\n"
      + examples(
        "stressmon methods experiment", "stressmon methods rest.txt --psd welch --corrected",
        "stressmon methods experiment --json"))

  @Argument(
    help: ArgumentHelp(localized("The folder of a study, or a file to analyze."), valueName: "study|file"),
    completion: Completions.files)
  var path: String

  @OptionGroup var options: AnalysisOptions

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  func run() throws {
    options.like?.report()
    let output = StandardOutput()
    if Folder.isFolder(path), try TextFile.read("\(path)/\(StudyFile.name)") != nil {
      let plan = try StudyFile(folder: path).plan
      return try output.write(text(plan.methodsText, plan.provenance))
    }
    let provenance = Provenance(
      options.methods(onlyTopSeries: true), top: options.top, inputDigest: try FileDigest.hex(ofFile: path))
    try output.write(text(MethodsText(provenance), provenance))
  }

  private func text(_ methods: MethodsText, _ provenance: Provenance) -> [UInt8] {
    guard json else {
      let references = methods.references.map { "\($0.text) [\($0.key)]" }
      return Array(([methods.paragraph, ""] + references).map { $0 + "\n" }.joined().utf8)
    }
    var line = JSONLine()
    line.line { line in
      line.put("methods", methods.paragraph)
      line.put("references", objects: methods.references) { line, reference in
        line.put("key", reference.key)
        line.put("text", reference.text)
      }
      provenance.put(into: &line)
    }
    return line.bytes
  }
}
