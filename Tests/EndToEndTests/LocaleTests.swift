import TestSupport
import Testing

/// Every command in locales with and without a catalogue, which need not exist on the system.
@Suite(.ownThreads) struct LocaleTests {
  /// One recorded session and the compiled catalogues, for all tests.
  private struct Recorded: Sendable {
    let home: Home
    let session: String

    init() throws {
      home = try Home()
      for language in MessageCatalogue.languages {
        let made = try home.shell(
          """
          mkdir -p locale/\(language)/LC_MESSAGES && msgfmt \\
            --output-file=locale/\(language)/LC_MESSAGES/stressmon.mo '\(MessageCatalogue.folder)/\(language).po'
          """)
        try #require(made.status == .exited(0), "\(made.errors)")
      }
      let simulated = ["--simulate", "--speed", "max"]
      let live = try home.start(
        ["live", "--json", "--duration", "90", "--record", home.file("a.jsonl")] + simulated
      )
      .outcome()
      session = try #require(try live.json().first?["session"]?.text)
      let breathing = try home.start(["breathe", "--before", "0", "--cycles", "2"] + simulated).outcome()
      try #require(breathing.status == .exited(0), "\(breathing.errors)")
      _ = try home.run("journal", "add", "--trigger", "coffee", "--mood", "3")
    }
  }

  private static let recorded = Result { try Recorded() }

  private static let names = [
    "it_IT.UTF-8", "nl_NL.UTF-8", "pl_PL.UTF-8", "sv_SE", "pt_BR.UTF-8", "tr_TR.UTF-8", "tr_TR.ISO-8859-9",
    "ja_JP.UTF-8", "zh_CN.UTF-8", "de_DE.UTF-8", "fr_FR@euro", "es_ES.UTF-8", "ar_EG.UTF-8",
  ]

  private static let unusual: [[String: String?]] = [
    ["LANG": "C"], ["LANG": "POSIX"], ["LANG": "xx_YY.UTF-8"], ["LANG": "/"], ["LANG": "é"], ["LANG": ".."],
    ["LANG": ":"],
    ["LANG": "it_IT.UTF-8", "LANGUAGE": "it:de"], ["LANG": "xx", "LANGUAGE": "xx"],
    ["LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "::"],
    ["LC_MESSAGES": "pt_BR.UTF-8", "LANGUAGE": "pt_BR:pt:en:de"],
  ]

  /// The exit code of each command; without a bus, `doctor` and `scan` find no adapter.
  private static func commands(_ recorded: Recorded) -> [([String], CInt)] {
    let (recording, session) = (recorded.home.file("a.jsonl"), recorded.session)
    let copy = recorded.home.file("copy-\(UInt64.random(in: 0...UInt64.max)).jsonl")
    let measuring: [[String]] = [
      ["live", "--duration", "50"], ["live", "--duration", "50", "--speak"],
      ["record", copy, "--duration", "40"], ["measure"], ["measure", "--speak"],
      ["breathe", "--before", "0", "--cycles", "2"],
      ["breathe", "--before", "30", "--cycles", "2", "--speak"], ["calm", "--minutes", "0.1"],
      ["calm", "--minutes", "0.1", "--speak"],
    ]
    let reading: [[String]] = [
      ["replay", recording, "--speed", "max"], ["replay", "--session", session, "--speed", "max", "--speak"],
      ["status", "--format", "small"], ["status", "--format", "medium"], ["status", "--format", "large"],
      ["status", "--format", "spoken"], ["status", "--format", "waybar"], ["status", "--json"], ["history"],
      ["history", "--sessions"], ["history", "--breathing"], ["show", session], ["show", "1"],
      ["explain", "1"], ["trends"], ["trends", "--today"], ["report"], ["journal"], ["journal", "insights"],
      ["analyze", recording], ["compare", recording, recording + "@-30"], ["config", "show"], ["profile"],
      ["baseline"], ["history", "--breathing"], ["delete", "--session", session, "--dry-run"], ["--help"],
    ]
    let done = measuring.map { $0 + ["--simulate", "--speed", "max", "--no-store"] } + reading
    return done.map { ($0, CInt(0)) } + [(["doctor"], 2), (["scan", "--duration", "1"], 2)]
  }

  @Test("Every command works in every locale", arguments: names)
  func everyCommand(locale: String) throws {
    let recorded = try Self.recorded.get()
    for (arguments, code) in Self.commands(recorded) {
      try expect(code, arguments, in: ["LANG": locale], recorded)
    }
  }

  @Test("Unusual locales and lists of languages cause no error", arguments: unusual)
  func unusualValues(environment: [String: String?]) throws {
    let recorded = try Self.recorded.get()
    let simulated = ["--simulate", "--speed", "max", "--no-store"]
    try expect(0, ["live", "--duration", "50"] + simulated, in: environment, recorded)
    try expect(0, ["breathe", "--before", "0", "--cycles", "2"] + simulated, in: environment, recorded)
    try expect(0, ["status", "--format", "spoken"], in: environment, recorded)
  }

  private func expect(
    _ code: CInt, _ arguments: [String], in environment: [String: String?], _ recorded: Recorded
  ) throws {
    let catalogues = ["TEXTDOMAINDIR": recorded.home.file("locale") as String?]
    let outcome = try recorded.home.start(arguments, with: environment.merging(catalogues) { $1 }).outcome()
    #expect(outcome.status == .exited(code), "\(environment) \(arguments): \(outcome.errors.suffix(500))")
  }
}
