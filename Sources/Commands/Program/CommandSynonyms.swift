import Localization
import Platform
import Terminal

/// States the new spelling of an option that is still accepted.
func printReplacement(of former: String, by option: String) {
  printDiagnostic(
    "stressmon: " + ProcessEnvironment.current.text(Phrase("\(former) is replaced by: \(option)")))
}

/// Synonyms of commands.
enum CommandSynonyms {
  /// The advice for `word` after `path`, such as `stressmon journal`, if the word is known.
  static func advice(for word: String, of path: String) -> Phrase? {
    let word = word.lowercased()
    if path == Stressmon.name, ending.contains(word) {
      return Phrase(
        "End a session with Ctrl-C or the key q, and the service with: systemctl --user stop stressmon")
    }
    let table = path == Stressmon.name ? program : subcommands[path]
    let meant = table?.first { $0.words.contains(word) }?.commands
    return meant.map { commands in
      commands.count == 1
        ? Phrase("Did you mean: \(commands[0])") : Phrase("Did you mean: \(commands[0]), or \(commands[1])")
    }
  }

  private static let ending: Set = ["stop", "quit", "exit", "kill"]

  typealias Synonyms = (words: Set<String>, commands: [String])

  static let program: [Synonyms] = [
    (["today", "day", "dashboard", "home"], ["stressmon"]),
    (["hrv", "rmssd", "reading", "take"], ["stressmon measure", "stressmon live"]),
    (["readiness", "orthostatic", "wake"], ["stressmon morning"]),
    (["sleep", "overnight", "bed"], ["stressmon night"]),
    (["start", "run", "monitor", "watch", "stream", "begin", "hr", "bpm", "heartrate"], ["stressmon live"]),
    (["demo", "simulate", "try"], ["stressmon live --simulate"]),
    (["stress", "now", "current", "latest"], ["stressmon status", "stressmon live"]),
    (["summary", "week", "weekly"], ["stressmon report"]),
    (["stats", "statistics", "trend", "graph", "chart", "plot"], ["stressmon trends"]),
    (["list", "log", "ls", "sessions"], ["stressmon history --sessions"]),
    (["connect", "bind"], ["stressmon pair", "stressmon live"]),
    (["disconnect", "forget"], ["stressmon unpair"]),
    (["devices", "discover", "search", "find", "straps"], ["stressmon scan"]),
    (["diagnose", "check", "debug", "troubleshoot"], ["stressmon doctor"]),
    (["breath", "breathing", "resonance", "coherence"], ["stressmon breathe"]),
    (["relax", "panic", "sos"], ["stressmon calm"]),
    (["note", "mood", "tag", "diary"], ["stressmon journal add"]),
    (["user", "users", "person", "people", "profiles"], ["stressmon profile"]),
    (["settings", "set", "preferences", "configure", "setup"], ["stressmon config"]),
    (["remove", "rm", "erase", "clear"], ["stressmon delete"]),
    (["backup", "save"], ["stressmon export --all --output backup.db"]),
    (["restore", "load"], ["stressmon import"]),
    (["daemon", "background"], ["stressmon service"]),
    (["version"], ["stressmon --version"]),
  ]

  static let subcommands: [String: [Synonyms]] = [
    "stressmon profile": [
      (["create", "new"], ["stressmon profile add"]), (["remove", "rm"], ["stressmon profile delete"]),
      (["show", "ls"], ["stressmon profile list"]),
    ],
    "stressmon journal": [
      (["create", "new", "write"], ["stressmon journal add"]),
      (["remove", "rm"], ["stressmon journal delete"]),
      (["show", "ls"], ["stressmon journal list"]), (["change"], ["stressmon journal edit"]),
    ],
    "stressmon config": [
      (["list", "ls", "print"], ["stressmon config show"]), (["change"], ["stressmon config set"]),
      (["remove", "rm", "reset", "clear", "delete"], ["stressmon config unset"]),
    ],
    "stressmon baseline": [
      (["list", "get"], ["stressmon baseline show"]),
      (["learn", "update"], ["stressmon baseline recompute"]),
      (["clear", "delete"], ["stressmon baseline reset"]),
    ],
  ]
}
