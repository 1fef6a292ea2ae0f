import TestSupport
import Testing

/// Translated output, from the environment variables to the text.
@Suite(.ownThreads) struct TranslationTests {
  private let home: Home
  private let german: [String: String?]

  init() throws {
    home = try Home()
    for language in MessageCatalogue.languages {
      let made = try home.shell(
        """
        mkdir -p locale/\(language)/LC_MESSAGES && msgfmt --check-format \\
          --output-file=locale/\(language)/LC_MESSAGES/stressmon.mo '\(MessageCatalogue.folder)/\(language).po'
        """)
      try #require(made.status == .exited(0), "\(made.errors)")
    }
    german = ["LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "TEXTDOMAINDIR": home.file("locale")]
  }

  private func environment(_ changes: [String: String?]) -> [String: String?] {
    changes.merging(["TEXTDOMAINDIR": home.file("locale")]) { first, _ in first }
  }

  @Test(
    arguments: [
      (["LC_ALL": "de_DE.UTF-8"], "noch keine Messung"), (["LANG": "es_MX.UTF-8"], "aún no hay mediciones"),
      (["LC_MESSAGES": "fr_FR.UTF-8"], "pas encore de mesure"),
      (["LANG": "fr_FR.UTF-8", "LANGUAGE": "es:de"], "aún no hay mediciones"),
      (["LC_ALL": "es_ES"], "aun no hay mediciones"), (["LC_ALL": "it_IT.UTF-8"], "no measurement yet"),
      (["LC_ALL": "C", "LANGUAGE": "de"], "no measurement yet"),
      (["LANG": "it_IT.UTF-8", "LANGUAGE": "it:de"], "noch keine Messung"),
      (["LANG": "it_IT.UTF-8", "LANGUAGE": "it:en:de"], "no measurement yet"),
      (["LANG": "en_GB.UTF-8", "LANGUAGE": "en:de"], "no measurement yet"), ([:], "no measurement yet"),
    ] as [([String: String?], String)])
  func theEnvironmentSelectsTheLanguage(changes: [String: String?], text: String) throws {
    let status = try home.run("status", with: environment(changes))
    #expect(status.status == .exited(0))
    #expect(status.output.hasPrefix(text), "\(changes): \(status.output)")
  }

  @Test func outputWithoutCataloguesIsEnglish() throws {
    let changes: [String: String?] = ["LC_ALL": "de_DE.UTF-8", "TEXTDOMAINDIR": home.file("nowhere")]
    let elsewhere = home.file("bin/stressmon")
    let copied = try home.shell("mkdir -p bin && cp \"$stressmon\" bin/stressmon")
    #expect(copied.status == .exited(0))
    let status = try home.start(elsewhere, ["status"], with: changes).outcome()
    #expect(status.output.hasPrefix("no measurement yet"))
  }

  /// Regression: the line of the baseline was the reflection of a phrase.
  @Test(arguments: ["en"] + MessageCatalogue.languages)
  func theBaselineOfASessionIsTranslated(language: String) throws {
    let live = try home.run("live", "--simulate", "--speed", "max", "--duration", "90", "--json")
    let session = try #require(try live.json()[0]["session"]?.text)
    let isEnglish = language == "en"
    let locale = ["LC_ALL": "\(language).UTF-8", "LANGUAGE": language]
    let shown = try home.run("show", session, "--details", with: environment(isEnglish ? [:] : locale))
    let line = try #require(shown.lines.dropFirst(2).first)
    let origin = "population default"
    let word = isEnglish ? origin : try MessageCatalogue(language).text(origin, nil)
    let values = isEnglish ? ["RMSSD 50.0 ms", "60.0"] : ["RMSSD 50,0 ms", "60,0"]
    #expect(values.allSatisfy(line.contains) && line.hasSuffix(word), "\(line)")
    #expect(isEnglish == line.contains(" against "), "\(line)")
  }

  /// The layout of `make install`: bin/stressmon and share/locale.
  @Test func cataloguesAreFoundRelativeToTheProgram() throws {
    let copied = try home.shell(
      "mkdir -p usr/bin usr/share && cp \"$stressmon\" usr/bin/stressmon && cp -r locale usr/share/locale")
    #expect(copied.status == .exited(0))
    let status = try home.start(
      home.file("usr/bin/stressmon"), ["status"], with: ["LC_ALL": "de_DE.UTF-8"]
    ).outcome()
    #expect(status.output.hasPrefix("noch keine Messung"), "\(status)")
  }

  @Test func aSessionIsTranslatedToGerman() throws {
    let live = try measure()
    #expect(live.status == .exited(0))
    for text in ["Verbunden: ", "  HF ", "Verlässlichkeit", " s gesammelt"] {
      #expect(live.output.contains(text), "\(text)")
    }
    #expect(live.errors.contains("ist gespeichert. Den Verlauf zeigt:"))
  }

  /// Retries, because measurements are stale after 30 s, which can pass on a busy machine.
  @Test func theStatusIsTranslatedToGerman() throws {
    let words = ["relaxed": "Entspannt", "mild": "Leicht", "moderate": "Mäßig", "high": "Hoch"]
    let (status, json, waybar, spoken) = try givenTime { _ in
      _ = try measure()
      return (
        try home.run("status", with: german).output,
        try JSONValue(try home.run("status", "--json", with: german).output),
        try JSONValue(try home.run("status", "--format", "waybar", with: german).output),
        try home.run("status", "--format", "spoken", with: german).output
      )
    } until: { _, _, _, spoken in
      words.values.contains { spoken.contains(" von 100, zwischen ") && spoken.contains(": \($0), ") }
    }
    let category = try #require(json["category"]?.text)
    #expect(json["text"]?.text?.lowercased().contains(category) == true)
    let word = try #require(words[category])
    #expect(status.contains(" \(word) · HRV ") && status.contains("simuliert"), "\(status)")
    #expect(waybar["text"]?.text?.contains(word) == true && waybar["alt"]?.text == category)
    #expect(spoken.contains(" von 100, zwischen ") && spoken.contains(": \(word), "))
  }

  private func measure() throws -> Outcome {
    try home.run(
      "live", "--simulate", "--seed", "7", "--speed", "max", "--duration", "90", "--plain", with: german)
  }

  @Test func readingIsPrintedInGerman() throws {
    for (option, texts) in [
      ([], ["Verlässlichkeit ", "hoch (", "Weiter ", "dein Normalbereich "]),
      (["--details"], ["Verlässlichkeit ", "Schläge ", " gute von ", "Ausgangswert "]),
    ] as [([String], [String])] {
      let command = ["measure", "--simulate", "--speed", "max"] + option
      let reading = try home.start(command, with: german).outcome()
      #expect(reading.status == .exited(0), "\(reading.errors)")
      for text in texts { #expect(reading.output.contains(text), "\(text): \(reading.output)") }
      #expect(reading.errors.contains("gesammelt: "), "\(reading.errors)")
    }
  }

  @Test func historyTrendsAndReportArePrintedInGerman() throws {
    #expect(try measure().status == .exited(0))
    for (arguments, texts) in [
      (["history"], ["Stress im Mittel ", " Sitzung 0"]),
      (["history", "--measurements"], ["Kategorie", "  Sitzung "]),
      (["history", "--sessions"], ["Quelle", "simuliert"]),
      (["trends", "--today"], ["Mittel je Stunde", "'me' (simuliert), ", "Dein Stress lag im Mittel bei "]),
      (["report"], ["# Deine Woche, ", "Dies ist kein Medizinprodukt."]),
    ] {
      let outcome = try home.start(arguments, with: german).outcome()
      #expect(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
      for text in texts { #expect(outcome.output.contains(text), "\(text): \(outcome.output)") }
    }
  }

  @Test func failureIsPrintedInGermanWithTheSameExitCode() throws {
    #expect(try measure().status == .exited(0))
    let failure = try home.run("history", "--profile", "zoe", with: german)
    #expect(failure.status == .exited(1))
    #expect(
      failure.errors.hasPrefix("stressmon: das Profil „zoe“ gibt es nicht, nur: me."), "\(failure.errors)")
    let usage = try home.run("history", "--limit", "0", with: german)
    #expect(usage.status == .exited(64))
    #expect(usage.errors.contains("liegt außerhalb des Bereichs: erwartet 1 oder mehr"), "\(usage.errors)")
    let insights = try home.run("journal", "insights", with: german)
    #expect(insights.output.hasPrefix("Das Tagebuch von „me“ umfasst 0 gemessene Episoden."))
  }

  /// With a catalogue of replaced letters, a text that still has Latin letters is not translated.
  @Test func everyPrintedTextIsTranslated() throws {
    try home.folder.write(Self.strangeCatalogue(), to: "xx.po")
    let made = try home.shell(
      "mkdir -p locale/xx/LC_MESSAGES && msgfmt --output-file=locale/xx/LC_MESSAGES/stressmon.mo xx.po")
    try #require(made.status == .exited(0), "\(made.errors)")
    var all = ""
    for arguments in [
      ["status"], ["live", "--simulate", "--speed", "max", "--duration", "700", "--plain"], ["status"],
      ["live", "--simulate", "--speed", "max", "--duration", "700", "--speak", "--no-store"],
      ["breathe", "--simulate", "--speed", "max"], ["breathe", "--simulate", "--speed", "max", "--speak"],
      ["breathe", "--simulate", "--speed", "max", "--before", "0"], ["history", "--breathing"],
      ["breathe", "--simulate", "--speed", "max", "--find-resonance"], ["status", "--format", "large"],
      ["measure", "--simulate", "--speed", "max"], ["history"], ["history", "--sessions"],
      ["trends", "--today"], ["report"],
    ] {
      let changes = environment(["LC_ALL": "C.UTF-8", "LANGUAGE": "xx"])
      let outcome = try home.start(arguments, with: changes).outcome()
      #expect(outcome.status == .exited(0))
      all += outcome.output + outcome.errors
    }
    let words = all.split { !($0.isLetter && $0.isASCII) }.filter { word in
      // Session IDs contain only capital letters.
      word.count > 3 && word.contains { $0.isLowercase }
    }
    #expect(words.filter { !Self.untranslated.contains(String($0)) } == [])
  }

  /// Names, commands, the reason for the loss of a simulated link, and the stored rates of a pattern.
  private static let untranslated: Set<String> = [
    "RMSSD", "SDNN", "stressmon", "measure", "history", "show", "breathe", "list", "pattern", "Simulated",
    "strap", "reach", "simulated", "breaths", "baseline", "journal", "mood", "trigger", "coffee", "explain",
    "before",
  ]

  private static func strangeCatalogue() throws -> String {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }
    func strange(_ text: String) -> String { quoted(String(text.map { $0.isLetter ? "ж" : $0 })) }
    var catalogue = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
    catalogue += "\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
    for entry in try MessageCatalogue("de").entries {
      catalogue += "\nmsgid \(quoted(entry.key))\n"
      if let plural = entry.pluralKey {
        catalogue += "msgid_plural \(quoted(plural))\n"
        catalogue += "msgstr[0] \(strange(entry.key))\nmsgstr[1] \(strange(plural))\n"
      } else {
        catalogue += "msgstr \(strange(entry.key))\n"
      }
    }
    return catalogue
  }

  /// JSON does not depend on the language.
  @Test func anExerciseIsTranslatedToGerman() throws {
    let arguments = ["breathe", "--simulate", "--seed", "3", "--speed", "max"]
    let text = try home.start(arguments, with: german).outcome()
    #expect(text.output.contains("Einatmen: 4 s (Zyklus 1 von 4)"))
    #expect(text.output.contains("Atmen 4-7-8: 4 von 4 Zyklen"))
    #expect(text.errors.contains("Gespeichert. Alle Übungen zeigt: stressmon history --breathing"))
    let list = try home.run("history", "--breathing", with: german)
    #expect(list.output.hasPrefix("Sitzung ") && list.output.contains("Kohärenz"))
    let json = [german, [:]].map { language in
      try? JSONValue(home.start(arguments + ["--json", "--no-store"], with: language).outcome().output)
    }
    for key in ["sentence", "changed", "pattern"] {
      #expect(json[0]?[key] != nil && json[0]?[key] == json[1]?[key], "\(key)")
    }
    let spoken = try home.start(arguments + ["--speak", "--no-store"], with: german).outcome()
    #expect(spoken.output.contains("\nLetzter Zyklus. Einatmen.\n"))
    #expect(spoken.output.contains("RMSSD in Millisekunden: davor "))
  }
}

/// Output for limited terminals and for screen readers.
@Suite(.ownThreads) struct AppearanceTests {
  /// In a UTF-8 locale, `--ascii` limits output to ASCII; without it, other characters occur.
  @Test func asciiLimitsEveryViewToASCII() throws {
    let home = try Home()
    let kept = try home.start(["live", "--simulate", "--speed", "max", "--duration", "700"]).outcome()
    #expect(kept.status == .exited(0) && !kept.output.utf8.allSatisfy { $0 < 0x80 })
    let session = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    for arguments in [
      ["status"], ["status", "--format", "large"], ["history"], ["trends", "--today"], ["show", session],
      ["live", "--simulate", "--speed", "max", "--duration", "60", "--no-store"],
      ["breathe", "--simulate", "--speed", "max", "--no-store"],
    ] {
      let plain = try home.start(arguments + ["--ascii"]).outcome()
      #expect(plain.status == .exited(0), "\(arguments): \(plain.errors)")
      #expect(plain.output.utf8.allSatisfy { $0 < 0x80 }, "\(arguments)")
    }
    #expect(try !home.run("trends", "--today").output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func anUnknownThemeIsAUsageError() throws {
    let home = try Home()
    let wrong = try home.run("status", "--theme", "pink")
    #expect(wrong.status == .exited(64) && wrong.errors.contains("high-contrast"))
    #expect(
      try home.run("config", "set", "theme", "pink").errors.contains("auto, dark, light or high-contrast"))
    #expect(try home.run("config", "set", "theme", "light").status == .exited(0))
    #expect(try home.run("status", "--theme", "high-contrast").status == .exited(0))
  }

  @Test func speakPrintsSentencesInsteadOfAScreen() throws {
    let home = try Home()
    let live = try home.run(
      "live", "--simulate", "--speed", "max", "--duration", "400", "--speak", "--speak-every", "2m")
    #expect(live.status == .exited(0))
    #expect((8...36).contains(live.lines.count), "\(live.output)")
    #expect(live.lines.contains { $0.hasPrefix("The session has ended after 6 minutes ") })
    #expect(live.lines.contains { $0.hasPrefix("Heart rate ") && $0.contains(" on average, ") })
    #expect(live.lines.last?.hasPrefix("Next: stressmon show") == true)
    let measured = try home.run("measure", "--simulate", "--speed", "max", "--speak", "--no-store")
    #expect(measured.output.hasPrefix("Stress ") && measured.lines.count == 1, "\(measured)")
    #expect(try home.run("live", "--simulate", "--speak", "--json").status == .exited(64))
    #expect(try home.run("live", "--simulate", "--speak-every", "5m").status == .exited(64))
    #expect(try home.run("live", "--simulate", "--speak", "--speak-every", "1s").status == .exited(64))
  }
}
