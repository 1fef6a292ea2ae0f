import Testing

@testable import Commands

@Suite struct OptionSynonymsTests {
  private func corrected(_ words: String, _ option: String) -> String {
    let command = CommandWords(words: words.split(separator: " ").map(String.init)).command
    // The suggestion of the parser is ignored.
    let text = "Error: Unknown option '\(option)'. Did you mean '--force'?\nUsage: stressmon"
    return OptionSynonyms.correcting(text, for: command)
  }

  @Test(arguments: [
    ("history", "--since", "--from"), ("trends --since 2d", "--since", "--from"),
    ("report", "--until", "--to"),
    ("journal --since 2d", "--since", "--from"), ("journal list", "--after", "--from"),
    ("live", "--minutes", "--duration"), ("live", "--device", "--strap"),
    ("breathe", "--duration", "--minutes"),
    ("journal add", "--tag", "--trigger"),
    ("trends", "--svg", "--plot"), ("serve", "--database", "--db"), ("delete", "--preview", "--dry-run"),
    // A misspelled name, or its beginning.
    ("history", "--form", "--from"), ("live", "--durat", "--duration"), ("export", "--out", "--output"),
  ])
  func theMeantOptionIsSuggested(words: String, option: String, meant: String) {
    #expect(
      corrected(words, option)
        == "Error: Unknown option '\(option)'. Did you mean '\(meant)'?\nUsage: stressmon")
  }

  @Test(
    "An option that the command does not have is not suggested",
    arguments: [
      ("measure", "--csv"), ("config show", "--since"), ("status", "-x"), ("scan", "--nonsense"),
    ])
  func noSuggestion(words: String, option: String) {
    #expect(corrected(words, option) == "Error: Unknown option '\(option)'\nUsage: stressmon")
  }

  @Test func otherErrorsAreKept() {
    let text = "Error: Missing value for '--from <time>'"
    #expect(OptionSynonyms.correcting(text, for: HistoryCommand.self) == text)
  }

  @Test("Each suggested option exists")
  func synonymsNameOptions() {
    let commands = Stressmon.below + Stressmon.below.flatMap { $0.below }
    let options = Set(commands.flatMap { OptionSynonyms.options(of: $0) })
    for (_, option) in OptionSynonyms.table { #expect(options.contains(option), "\(option)") }
  }
}
