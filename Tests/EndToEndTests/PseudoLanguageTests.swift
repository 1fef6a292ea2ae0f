import FoundationEssentials
import TestSupport
import Testing

/// Runs the commands in a language whose catalogue has every text in markers. English outside
/// of markers is text that no catalogue can translate.
@Suite(.ownThreads) struct PseudoLanguageTests {
  private let home: Home

  init() throws {
    home = try Home()
    let template = try MessageCatalogue("de")
    try #require(template.entries.count > 1000)
    try Self.catalogue(template).write(toFile: home.file("qps.po"), atomically: true, encoding: .utf8)
    let made = try home.shell(
      "mkdir -p locale/qps/LC_MESSAGES && msgfmt --output-file=locale/qps/LC_MESSAGES/stressmon.mo qps.po")
    try #require(made.status == .exited(0), "\(made.errors)")
    for (name, content) in Self.files {
      try content.write(toFile: home.file(name), atomically: true, encoding: .utf8)
    }
    try #require(home.shell("chmod 600 pass.txt other.txt").status == .exited(0))
  }

  /// The files that the commands read.
  private static let files = [
    ("pass.txt", "four random words of a folder\n"), ("other.txt", "four other words of a folder\n"),
    ("short.txt", "short\n"),
    ("participants.txt", "ann = P01\n"), ("twice.txt", "ann = P01\nben = P01\n"),
    ("bad.txt", "ann = P01 until\n"),
    ("users.conf", "users = [\n]\n"),
  ]

  private static func catalogue(_ template: MessageCatalogue) -> String {
    let header = """
      msgid ""
      msgstr ""
      "Content-Type: text/plain; charset=UTF-8\\n"
      "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

      """
    return template.entries.reduce(into: header) { text, entry in
      text += "\nmsgid \(quoted(entry.key))\n"
      if let plural = entry.pluralKey {
        text += "msgid_plural \(quoted(plural))\n"
        text += "msgstr[0] \(quoted(marked(entry.key)))\nmsgstr[1] \(quoted(marked(plural)))\n"
      } else {
        text += "msgstr \(quoted(marked(entry.key)))\n"
      }
    }
  }

  /// The text with every part that is not a placeholder in markers. A marked part is one line.
  private static func marked(_ text: String) -> String {
    var parts: [String] = []
    var rest = text[...]
    while let place = rest.firstMatch(of: /\{[0-9]+\}|\n/) {
      parts += [mark(rest[..<place.range.lowerBound]), String(place.0)]
      rest = rest[place.range.upperBound...]
    }
    return (parts + [mark(rest)]).joined()
  }

  private static func mark(_ text: Substring) -> String { text.isEmpty ? "" : "⟦\(text)⟧" }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  private var environment: [String: String?] {
    ["LC_ALL": "de_DE.UTF-8", "LANGUAGE": "qps", "TEXTDOMAINDIR": home.file("locale"), "COLUMNS": "400"]
  }

  @Test func everyTextOfTheCommandsIsInTheCatalogue() throws {
    let outputs = try run(Self.setup, atOnce: 1) + run(Self.commands, atOnce: 4)
    for (command, output) in zip(Self.setup + Self.commands, outputs) {
      #expect(!output.hasSuffix("exit 64\n") || Self.failing.contains(command), "\(command): \(output)")
      #expect(!output.isEmpty)
      for line in Self.foreignLines(output) { Issue.record("\(command): \(line)") }
    }
  }

  /// Runs the commands from one shell, and returns what each wrote, with its exit code in the last line.
  private func run(_ commands: [String], atOnce limit: Int) throws -> [String] {
    let runs = commands.enumerated().map { place, command in
      "run \(place) \(command) &\n" + ((place + 1) % limit == 0 ? "wait\n" : "")
    }
    let function =
      "run() { \"$stressmon\" \"${@:2}\" > $1.out 2>&1 < /dev/null; echo \"exit $?\" >> $1.out; }\n"
    let outcome = try home.shell("rm -f *.out\n" + function + runs.joined() + "wait", with: environment)
    try #require(outcome.status == .exited(0), "\(outcome.errors)")
    return commands.indices.map { home.contents("\($0).out") ?? "" }
  }

  /// The lines with an English word that is neither marked nor an exception.
  private static func foreignLines(_ output: String) -> [String] {
    // Commands and values to type, and messages of the system.
    let texts = output.replacing(/\(⟦(default|values):⟧[^()⟦]*(; ⟦default:⟧[^()⟦]*)?\)/, with: " ")
      .replacing(
        /(⟦[^⟧]*(Examples?|fix it with|Valid values|the options are|the values are): ⟧|stressmon |sudo |org\.freedesktop)[^⟦\n]*/,
        with: " "
      ).replacing(/(connection to server at|Connection refused|No such file)[^⟦\n]*/, with: " ")
    return unmarked(texts).split(separator: "\n").compactMap { line in
      let words = line.replacing(/<[^>]*>|\[[^\]]*\]/, with: " ").split { " (),;=*^".contains($0) }
      let foreign = words.filter(isForeign)
      return foreign.isEmpty ? nil : "\(foreign.joined(separator: " ")) in: \(line)"
    }
  }

  /// The text without its marked parts, which can be nested: the parser's words are translated within translated help.
  private static func unmarked(_ text: String) -> String {
    var depth = 0
    return String(
      text.map { character in
        if character == "⟦" { depth += 1 }
        defer { if character == "⟧" { depth -= 1 } }
        return depth == 0 || character == "\n" ? character : " "
      })
  }

  private static func isForeign(_ word: Substring) -> Bool {
    let word = word.last == ":" ? word.dropLast() : word
    guard word.contains(/[A-Za-z]{3}/), !word.hasPrefix("-"), !word.contains(/[0-9@_.\/]/) else {
      return false
    }
    return !exceptions.contains(String(word))
  }

  /// Names of commands, settings, formats, metrics, units and variables, and the data of this test.
  private static let exceptions: Set<String> = Set(
    """
    kubios stressmon live measure morning record replay breathe calm scan pair unpair doctor analyze compare explain status history \
    show trends report journal profile delete export import baseline config service serve publish sync collect \
    list add edit rename set get unset path reset recompute insights run enroll setup invite revoke admit forget expire \
    url token init join devices passphrase recovery leave now help simple off \
    window hrv strap adapter store-every database theme serve-port digest digest-folder \
    prompts prompt-quiet-hours sound alarm figure-width figure-colours colour rmssd auto recording lsl \
    bus rfkill RMSSD SDNN alpha HRV nHRV baselineHRV nHR restingHR hrvComponent hrComponent clamp max atan stress \
    box rr-text '{icon} category icon sdnn confidence battery "return-type" "json" Simulated kkk kkkk "kkk" nosuch spede exit \
    new check bids answer remove ann {kkk} kkk=1 file: exec:kkk
    """.split(separator: " ").map(String.init))
}

extension PseudoLanguageTests {
  /// The commands that store data, one after the other.
  private static let setup = [
    "live --simulate --speed max --duration 5m --record a.jsonl", "export --format rr --output rr.txt",
    "live --simulate --speed max --duration 2m", "measure --simulate --speed max",
    "journal add --mood 4 --trigger kkk", "journal add --mood 8 --note kkk",
    "breathe --pattern box --simulate --speed max --cycles 4 --before 30s --after 30s",
    "morning --simulate --speed max", "baseline set --rmssd 30", "baseline recompute", "profile add kkk",
    "profile rename kkk kkkk", "profile delete kkkk --yes", "import a.jsonl",
    "import rr.txt --at 2026-11-20T07:30 --as morning",
    "export --output all.jsonl",
    "night --simulate --speed max --duration 4h --activity lying", "study new st",
    "sync init folder --passphrase-file pass.txt --yes", "sync now", "serve token add kkk --scope hr",
    "collect admit kkk --from nats://127.0.0.1:1/S --keys kkk.keys",
    "collect invite kkk --from nats://127.0.0.1:1/S --users users.conf",
  ]

  private static let commands =
    [
      "status", "status --format large", "status --format spoken", "history", "history --sessions",
      "history --measurements", "history --morning", "history --breathing", "show", "show --details",
      "show 1", "explain",
      "explain 1",
      "explain --hrv 20 --hr 90", "trends", "trends --day", "trends --morning", "report", "journal",
      "journal insights",
      "profile", "baseline", "config", "analyze a.jsonl", "analyze a.jsonl --window 1m", "analyze rr.txt",
      "analyze a.jsonl --alpha1", "compare a.jsonl rr.txt", "compare a.jsonl@0:00-2:00 a.jsonl@2:00-4:00",
      "analyze --segment kkk=0:05..0:50 a.jsonl", "delete --all --dry-run",
      "journal delete 1 --dry-run",
      "import rr.txt --dry-run --at 2026-11-20T08:30", "replay a.jsonl --speed max --plain",
      "scan --duration 1s",
      "pair",
      "unpair kkk", "doctor", "service", "sync status", "publish --list", "serve url",
      "night --last", "trends --night", "report --speak", "measure --simulate --speed max --speak",
      "explain --calibration", "prompts", "mark kkk", "live --attach 01K", "analyze a.jsonl --like kubios",
      "study check st", "study run st",
    ] + network + failing
    + [
      "live", "measure", "morning", "breathe", "calm", "scan", "doctor", "analyze", "compare", "explain",
      "status",
      "history", "trends", "report", "journal add", "profile", "delete", "export", "import", "baseline",
      "config set",
      "serve", "publish", "sync init", "collect",
      "study new", "study check", "study run", "study bids", "prompts list", "prompts answer", "night",
      "methods", "mark", "record", "replay", "pair", "unpair", "calm", "show", "service on",
      "serve token", "serve token add", "serve token list", "serve token remove", "serve url", "serve open",
      "sync now", "sync status", "sync devices", "sync join", "sync forget", "sync passphrase",
      "sync recovery", "sync leave", "collect run", "collect setup", "collect invite", "collect revoke",
      "collect admit", "collect forget", "collect expire", "publish run", "publish enroll",
    ].map { "\($0) --help-all" }

  /// The commands of stressmon-net. None of them connects to another machine, or runs until a signal.
  private static let network = [
    "sync devices", "sync join nosuch", "sync join folder --passphrase-file other.txt",
    "sync forget nosuch --passphrase-file pass.txt --yes", "sync recovery --passphrase-file other.txt",
    "sync passphrase --passphrase-file pass.txt --new-passphrase-file short.txt",
    "sync init folder --passphrase-file pass.txt --yes",
    "serve token list", "serve token add kkk --scope hr", "serve token remove nosuch",
    "publish osc://127.0.0.1:9 --profile nosuch", "collect setup --into postgresql://127.0.0.1:1/kkk",
    "collect forget kkk --from nats://127.0.0.1:1/S --into postgresql://127.0.0.1:1/kkk --keys kkk.keys --yes",
    "collect expire --into postgresql://127.0.0.1:1/kkk --older-than 400d",
  ]

  /// The commands with a usage error.
  private static let failing = [
    "live --nosuch", "live --spede 3", "scan --duration nosuch", "export --format nosuch", "measure --every",
    "journal add", "profile add", "nosuch", "status nosuch", "config get nosuch", "compare a.jsonl",
    "publish nosuch://x", "publish osc://127.0.0.1:9?kkk=1", "publish mqtt://127.0.0.1:1/x?kkk=1",
    "publish mqtt://kkk:kkk@127.0.0.1:1", "publish 'file:/tmp/kkk?text={kkk}'", "publish exec:kkk",
    "publish nats://127.0.0.1:1/S?kkk=1", "publish nats://127.0.0.1:1/S",
    "publish nats://127.0.0.1:1/S --participants twice.txt",
    "publish nats://127.0.0.1:1/S --participants bad.txt",
    "publish nats://127.0.0.1:1/S?credentials=nosuch --participants participants.txt",
    "publish enroll nosuch",
    "serve token add k/k --scope hr",
    "collect run", "collect run --from nosuch --into nosuch",
    "collect run --from nats://127.0.0.1:1/S --into postgresql://kkk:kkk@127.0.0.1:1/kkk",
    "collect setup", "collect invite nosuch",
    "collect revoke nosuch --from nats://127.0.0.1:1/S --users users.conf",
    "collect invite kkk --from nats://127.0.0.1:1/S --users users.conf",
  ]
}
