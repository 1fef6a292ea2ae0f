import TestSupport
import Testing

/// Help, and messages for mistyped commands.
@Suite(.ownThreads) struct HelpTests {
  @Test(arguments: [
    ("live --help", "stressmon live [<options>] [<session>]"), ("help compare", "stressmon compare <a> <b>"),
    ("config set --help", "stressmon config set <setting> <value>"), ("analyze -h", "stressmon analyze "),
  ])
  func helpShowsTheFullCommandName(words: String, usage: String) throws {
    let help = try Home().start(words.split(separator: " ").map(String.init)).outcome()
    #expect(help.status == .exited(0) && help.errors.isEmpty)
    #expect(help.output.contains("USAGE: \(usage)"))
  }

  @Test(arguments: ["1", "20", "39", "40", "1000"])
  func helpWorksAtEveryTerminalWidth(columns: String) throws {
    let help = try Home().start(["--help"], with: ["COLUMNS": columns]).outcome()
    #expect(help.status == .exited(0) && help.output.contains("USAGE: stressmon"))
  }

  @Test(arguments: [
    ("liv", "'stressmon liv'. Did you mean: stressmon live\n"),
    ("anlayze rr.txt", "'stressmon anlayze'. Did you mean: stressmon analyze\n"),
    ("dance", "'stressmon dance'. List the commands with: stressmon --help\n"),
    ("journal ad --mood 3", "'stressmon journal ad'. Did you mean: stressmon journal add\n"),
    ("config list", "'stressmon config list'. Did you mean: stressmon config show\n"),
    ("hrv", "'stressmon hrv'. Did you mean: stressmon measure, or stressmon live\n"),
    ("readiness", "'stressmon readiness'. Did you mean: stressmon morning\n"),
    ("start", "'stressmon start'. Did you mean: stressmon live\n"),
    ("stats", "'stressmon stats'. Did you mean: stressmon trends\n"),
  ])
  func anUnknownCommandIsReportedWithASuggestion(words: String, message: String) throws {
    let outcome = try Home().start(words.split(separator: " ").map(String.init)).outcome()
    #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
    #expect(outcome.errors == "stressmon: there is no command \(message)")
  }

  @Test func anUnknownOptionIsReportedWithTheMeantOne() throws {
    let outcome = try Home().run("trends", "--since", "2d")
    #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: Unknown option '--since'. Did you mean '--from'?\nUsage: "))
    #expect(try Home().run("measure", "--csv").errors.hasPrefix("Error: Unknown option '--csv'\nUsage: "))
  }

  @Test("In a pipe, the program without arguments prints the overview, as with --help and help")
  func overviewInPipes() throws {
    let home = try Home()
    let outcomes = try [[], ["--help"], ["-h"], ["help"]].map { try home.start($0).outcome() }
    #expect(outcomes.allSatisfy { $0.status == .exited(0) && $0.output == outcomes[0].output })
    #expect(outcomes[0].output.contains("  Measure     live measure morning night record replay mark\n"))
    #expect(outcomes[0].output.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }

  @Test(arguments: ["live --help-all", "help live --help-all"])
  func completeHelpListsEveryOption(words: String) throws {
    let short = try Home().run("live", "--help").output
    #expect(
      !short.contains("--seed") && short.contains("All options and details: stressmon live --help-all\n"))
    let complete = try Home().start(words.split(separator: " ").map(String.init)).outcome()
    #expect(complete.status == .exited(0) && complete.errors.isEmpty)
    for option in ["--seed", "--theme", "--adapter", "--db", "--verbose", "--force"] {
      #expect(complete.output.contains("  \(option)") || complete.output.contains(", \(option)"), "\(option)")
    }
  }

  @Test(arguments: ["publish --help-all", "help publish --help-all"])
  func helpOfPublishListsItsTargetsAndOptions(words: String) throws {
    let help = try Home().start(words.split(separator: " ").map(String.init)).outcome().output
    for text in ["ARGUMENTS:\n  <target> ", "  --list  ", "  --remove  ", "  --names <names> ", "  enroll "] {
      #expect(help.contains(text), "\(text)")
    }
  }

  @Test func helpAllDescribesEveryCommand() throws {
    let outcome = try Home().run("help", "all")
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.output.contains("List stored sessions, readings") && outcome.output.contains("Exit codes:"))
  }

  @Test(
    "Help on an unknown command is a usage error",
    arguments: [
      ("help nosuch", "'stressmon nosuch'. List the commands with: stressmon --help\n"),
      ("help hist", "'stressmon hist'. Did you mean: stressmon history\n"),
      ("hist", "'stressmon hist'. Did you mean: stressmon history\n"),
      ("nosuch --help", "'stressmon nosuch'. List the commands with: stressmon --help\n"),
      ("help journal ad", "'stressmon journal ad'. Did you mean: stressmon journal add\n"),
    ])
  func helpOnAnUnknownCommand(words: String, message: String) throws {
    let outcome = try Home().start(words.split(separator: " ").map(String.init)).outcome()
    #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
    #expect(outcome.errors == "stressmon: there is no command \(message)")
  }

  @Test("The help of a command lists its own options first and the common options last")
  func ownOptionsFirst() throws {
    let help = try Home().start(["history", "--help"], with: ["COLUMNS": "100"]).outcome().output
    let titles = help.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.hasSuffix(":") }
    #expect(titles == ["OPTIONS:", "FILTER OPTIONS:", "COMMON OPTIONS:"])
    #expect(
      help.hasSuffix(
        "  -h, --help              Show help information.\n\nAll options and details: stressmon history --help-all\n"
      ))
  }

  @Test func anArgumentThatIsNeitherFileNorSessionIsReported() throws {
    let outcome = try Home().run("compare", "01K@before", "01K@after")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("there is no file '01K', and no session ID of 'me' begins with it."))
  }
}
