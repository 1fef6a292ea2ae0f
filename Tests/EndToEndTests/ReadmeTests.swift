import FoundationEssentials
import TestSupport
import Testing

/// The examples of README.md: every command after `$ ` is run, those of a code block in one new home, and its output is compared
/// with the lines below it.
@Suite(.ownThreads) struct ReadmeTests {
  private struct Example {
    let command: String
    var output: [String] = []
  }

  /// The commands with their outputs of the code blocks that begin with `$ `.
  private func blocks() throws -> [[Example]] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "README.md").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let blocks = text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\n$ ") }.map(\.element)
    return blocks.map { block in
      block.split(separator: "\n").reduce(into: [Example]()) { examples, line in
        if line.hasPrefix("$ ") {
          examples.append(Example(command: String(line.dropFirst(2))))
        } else {
          examples[examples.count - 1].output.append(String(line))
        }
      }
    }
  }

  /// Replaces what differs between two runs: identifiers, days, times of day, ages, and the folder of the home.
  private func comparable(_ line: String, _ home: Home) -> String {
    line.replacing(home.path, with: "~")
      .replacing(/\b01[0-9A-HJKMNP-TV-Z]{8,24}\b/, with: "SESSION")
      .replacing(/\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}/, with: "DAY")
      .replacing(/\b\d{2}:\d{2}(:\d{2})?/, with: "TIME")
      .replacing(/\d+ s ago/, with: "AGE")
  }

  @Test func theExamplesGiveTheOutputThatIsShown() throws {
    let folder = String(Program.stressmon.dropLast("/stressmon".count))
    let blocks = try blocks()
    #expect(blocks.count >= 4)
    for block in blocks {
      // Late enough in the day that a session is on one day.
      let home = try Home(zone: Home.earlyZone)
      for example in block {
        let outcome = try home.shell("export PATH=\"\(folder):$PATH\"; { \(example.command)\n} 2>&1")
        let lines = outcome.lines.map { comparable($0, home) }
        #expect(outcome.status == .exited(0), "\(example.command): \(outcome.output)")
        #expect(
          lines == example.output.map { comparable($0, home) },
          "\(example.command) prints:\n\(outcome.output)")
      }
    }
  }
}
