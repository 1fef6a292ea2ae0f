import ArgumentParser
import JSONLines
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", _superCommandName: Stressmon.name,
    abstract: localized("Show and change the settings."),
    discussion: examples("stressmon config set window 2m"),
    subcommands: [Path.self, Show.self, Get.self, Set.self, Unset.self], defaultSubcommand: Show.self)

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path",
      abstract: localized("Print the path of the settings file."),
      discussion: examples("$EDITOR \"$(stressmon config path)\""))

    func run() throws {
      try StandardOutput().line(Configuration.path(ProcessEnvironment.current))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: localized("Print the settings."),
      discussion: localized(
        """
        Prints the value of each setting that is in force, and where it comes from: the file, the environment or the \
        default. Options on the command line take precedence.
        """) + "\n"
        + examples("stressmon config show", "stressmon config show --json"))

    @Flag(name: .long, help: .localized("Print one JSON object; unset settings are null."))
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
      var table = TextTable([
        (localized("setting"), .left), (localized("value"), .left), (localized("from"), .left),
        (localized("meaning"), .left),
      ])
      for key in Configuration.Key.allCases {
        let effective = configuration.effective(key, .current)
        table.append([
          key.rawValue, effective?.value.printable ?? "-",
          effective.map { localized($0.origin.word) } ?? "-", localized(key.meaning),
        ])
      }
      return table.lines().map { $0 + "\n" }.joined()
    }
  }

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: localized("Print the value of a setting that is in force."),
      discussion: localized("Exit code 1 means that the setting has neither a value nor a default.") + "\n"
        + examples("stressmon config get window"))

    @OptionGroup var setting: SettingArgument

    func run() throws {
      let key = try setting.key(of: "config get")
      guard let effective = try Configuration(environment: .current).effective(key, .current) else {
        throw CommandFailure(
          .failed,
          Phrase(
            "\(key.rawValue) is not set. Example: \("stressmon config set \(key.rawValue) \(key.example)")"))
      }
      try StandardOutput().line(effective.value)
    }
  }

  struct Unset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset",
      abstract: localized("Remove a setting from the file, so that its default applies."),
      discussion: examples("stressmon config unset strap"))

    @OptionGroup var setting: SettingArgument

    func run() throws {
      let key = try setting.key(of: "config unset")
      var configuration = try Configuration(environment: .current)
      try configuration.remove(key) { changed throws(CommandFailure) in
        if key == .window { try changed.requireReadingsToFit() }
      }
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: localized("Change a setting."),
      discussion: examples("stressmon config set profile anna"))

    @OptionGroup var setting: SettingArgument

    @Argument(help: .localized("The new value."), completion: Completions.settingValues)
    var value: String

    func run() throws {
      let key = try setting.key(of: "config set")
      guard key.isValid(value) else {
        throw CommandFailure(.usage, ConfigurationError.badValue(key, value, in: "config set").message)
      }
      var context = try CommandContext()
      if key == .profile { try requireProfile(context) }
      try context.configuration.set(key, to: value) { changed throws(CommandFailure) in
        if key == .service || key == .window { try changed.requireReadingsToFit() }
      }
      if key == .digest, value == "on" { try StandardOutput().line(localized(WeeklyNotice.nextStep)) }
    }

    /// - Throws: ``ReportError`` if the value is not a profile.
    private func requireProfile(_ context: CommandContext) throws {
      let location = try DatabaseOptions.parse([]).location(context)
      try ProfileCheck(location).require(value, from: .value)
    }
  }
}

/// The name of a setting.
struct SettingArgument: ParsableArguments {
  @Argument(
    help: .localized("The name of the setting, as listed by 'stressmon config show'."),
    completion: .list(Configuration.Key.allCases.map(\.rawValue)))
  var setting: String

  /// - Throws: ``CommandFailure`` for a name that is not a setting.
  func key(of command: String) throws(CommandFailure) -> Configuration.Key {
    guard let key = Configuration.Key(rawValue: setting) else {
      throw CommandFailure(.usage, ConfigurationError.unknownKey(setting, in: command).message)
    }
    return key
  }
}
