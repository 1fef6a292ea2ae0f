import ArgumentParser
import JSONLines
import Platform
import Reports
import Terminal

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show and change the settings.",
    discussion: "Example: stressmon config set window 2m",
    subcommands: [Path.self, Show.self, Set.self], defaultSubcommand: Show.self)

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path",
      abstract: "Print the path of the settings file.",
      discussion: "Example: $EDITOR \"$(stressmon config path)\"")

    func run() throws {
      try StandardOutput().line(Configuration.path(ProcessEnvironment.current))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the settings.", discussion: "Example: stressmon config show --json")

    @Flag(name: .long, help: "Print one JSON object; unset settings are null.")
    var json = false

    func run() throws {
      let configuration = try Configuration(environment: .current)
      let output = StandardOutput()
      guard json else { return try output.write(Self.table(configuration)) }
      var line = JSONLine()
      line.line { line in
        for key in Configuration.Key.allCases { line.put(key.rawValue, configuration[key]) }
      }
      try output.write(String(decoding: line.bytes, as: UTF8.self))
    }

    private static func table(_ configuration: Configuration) -> String {
      var table = TextTable([("setting", .left), ("value", .left), ("meaning", .left)])
      for key in Configuration.Key.allCases {
        table.append([key.rawValue, configuration[key] ?? "-", key.meaning])
      }
      return table.lines().map { $0 + "\n" }.joined()
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change a setting.",
      discussion: "Example: stressmon config set profile anna")

    @Argument(
      help: "The name of the setting, as listed by 'stressmon config show'.",
      completion: .list(Configuration.Key.allCases.map(\.rawValue)))
    var setting: String

    @Argument(help: "The new value.", completion: Completions.settingValues)
    var value: String

    func run() throws {
      guard let key = Configuration.Key(rawValue: setting) else {
        throw CommandFailure(.usage, ConfigurationError.unknownKey(setting, in: "config set").message)
      }
      guard key.isValid(value) else {
        throw CommandFailure(.usage, ConfigurationError.badValue(key, value, in: "config set").message)
      }
      var configuration = try Configuration(environment: .current)
      if key == .profile { try requireProfile(configuration) }
      try configuration.set(key, to: value) { changed throws(CommandFailure) in
        if key == .service || key == .window { try changed.requireReadingsToFit() }
      }
    }

    /// - Throws: ``ReportError`` if the value is not a profile.
    private func requireProfile(_ configuration: Configuration) throws {
      let location = try DatabaseOptions.parse([]).location(configuration, .current)
      try ProfileCheck(location).require(value, from: .value)
    }
  }
}
