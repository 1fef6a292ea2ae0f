import TestSupport
import Testing

/// The examples for pandas and R in the guides, exactly as printed there. pandas is in the environment of Tests/Oracles.
@Suite(.ownThreads) struct DocumentedExampleTests {
  /// A program that runs the examples of a language.
  struct Interpreter: Sendable, CustomTestStringConvertible {
    let language: String
    let path: String
    var testDescription: String { language }
  }

  static let pandas = Interpreter(language: "python", path: Python.interpreter)
  static let r = Interpreter(language: "r", path: "/usr/bin/Rscript")
  static let interpreters = [pandas, r].filter { exists($0.path) }

  /// The first block of code of a language in a guide.
  private func example(_ language: String, of guide: String) throws -> String {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = try #require(text(ofFile: "\(root)/docs/guide/\(guide).md"))
    let parts = page.split(separator: "```\(language)\n", maxSplits: 1)
    let code = try #require(parts.count == 2 ? parts[1].split(separator: "\n```", maxSplits: 1).first : nil)
    #expect(code.split(separator: "\n").count <= 6, "examples are short")
    return code + "\n"
  }

  private func output(_ interpreter: Interpreter, of guide: String, in home: Home) throws -> String {
    let code = try example(interpreter.language, of: guide)
    _ = try home.folder.write(code, to: "example.\(interpreter.language)")
    let outcome = try home.shell("\(interpreter.path) example.\(interpreter.language)")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return outcome.output
  }

  @Test(
    .enabled(if: !interpreters.isEmpty, "needs pandas (make oracles) or R (r-base-core)"),
    arguments: interpreters)
  func theTableOfAStudyIsRead(by interpreter: Interpreter) throws {
    let home = try Home()
    let settings = """
      recordings = "recordings/{participant}_{condition}.txt"
      segments = ["first=0:00-2:30", "second=2:30-5:00"]
      """
    _ = try home.shell("mkdir -p experiment/recordings")
    _ = try home.folder.write(settings, to: "experiment/study.toml")
    for number in 1...4 {
      for (condition, amplitude) in [("rest", 40), ("task", 20)] {
        let rows = (0..<360).map {
          850 + (amplitude + 3 * number) * [0, 1, 0, -1][$0 % 4] + ($0 * 7 + number) % 13
        }
        _ = try home.folder.write(
          rows.map { "\($0)\n" }.joined(), to: "experiment/recordings/P\(number)_\(condition).txt")
      }
    }
    #expect(try home.run("study", "run", home.file("experiment")).status == .exited(0))
    let output = try output(interpreter, of: "studies", in: home)
    #expect(output.contains("first") == (interpreter.language == "python"), "\(output)")
    #expect(output.contains("condition") && output.count > 50)
  }

  /// RMSSD of the exported beats is that of `analyze`.
  @Test(
    .enabled(if: !interpreters.isEmpty, "needs pandas (make oracles) or R (r-base-core)"),
    arguments: interpreters)
  func exportedBeatsAreRead(by interpreter: Interpreter) throws {
    let home = try Home()
    #expect(
      try home.run("record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "300").status
        == .exited(0))
    #expect(try home.run("import", home.file("a.jsonl")).status == .exited(0))
    #expect(
      try home.run("export", "--format", "csv", "--output", home.file("heart.csv")).status == .exited(0))
    let analysis = try JSONValue(try home.run("analyze", "--json", home.file("heart.csv")).output)
    let rmssd = try #require(analysis["rmssd_ms"]?.number)
    let output = try output(interpreter, of: "import-export", in: home)
    let numbers = output.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { Double($0) }
    #expect(numbers.contains { abs($0 - rmssd) < 1e-3 }, "\(rmssd): \(output)")
  }
}
