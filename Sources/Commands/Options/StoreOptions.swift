public import ArgumentParser
import HRV
import History
import Localization
import NetworkCommands
import Platform
import Reports
public import Stress
import Terminal

/// The profile, and the database that contains it.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The profile of the measured person (default: the setting 'profile', else me)."),
      valueName: "name"
    ))
  var profile: ProfileName?

  @OptionGroup var database: DatabaseOptions

  /// The profile of the command line, else of the configuration, else `me`.
  func profileName(_ context: CommandContext) -> String {
    context.value(.profile, option: profile?.name) ?? ProfileCheck.usual
  }

  /// The profile for a command that reads or changes the history.
  /// - Throws: ``ReportError`` for a profile that does not exist; ``HistoryError`` if the history cannot be read.
  func existingProfile(_ context: CommandContext) throws -> String {
    let name = profileName(context)
    guard name != ProfileCheck.usual else { return name }
    return try ProfileCheck(location(context)).require(name, from: origin)
  }

  /// The profile that a session measures. An unreadable history does not prevent the measurement.
  /// - Throws: ``ReportError`` for a profile that does not exist.
  func measuredProfile(
    _ context: CommandContext, with strap: StrapArgument? = nil
  ) throws -> String {
    let name = strap?.profile?.name ?? profileName(context)
    guard name != ProfileCheck.usual, let location = try? location(context),
      let check = try? ProfileCheck(location)
    else { return name }
    return try check.require(name, from: strap?.profile == nil ? origin : .value)
  }

  private var origin: ProfileCheck.Origin { profile == nil ? .setting : .option }

  /// The location of the history.
  /// - Parameter mustExist: whether reading a missing file that `--db` or STRESSMON_DB names is an error.
  func location(
    _ context: CommandContext, mustExist: Bool = false
  ) throws(HistoryError) -> StoreLocation {
    try database.location(context, mustExist: mustExist)
  }
}

/// The database.
struct DatabaseOptions: ParsableArguments {
  @Option(
    name: .customLong("db"),
    help: ArgumentHelp(
      localized(
        """
        The database file (default: STRESSMON_DB, the setting 'database', or $XDG_DATA_HOME/stressmon/stressmon.db).
        """),
      valueName: "path"), completion: Completions.files)
  var path: String?

  /// The path of the command line, else of the environment, else of the configuration, else the default.
  /// - Parameter mustExist: whether reading a missing file that `--db` or STRESSMON_DB names is an error.
  func location(
    _ context: CommandContext, mustExist: Bool = false
  ) throws(HistoryError) -> StoreLocation {
    let (named, environment) = (path ?? context.environment["STRESSMON_DB"], context.environment)
    let chosen = context.value(.database, option: named).map(environment.expandingTilde)
    var location = try StoreLocation(path: chosen, environment: environment.variables)
    location.isNamed = path != nil
    location.mustExist = mustExist && named != nil
    return location
  }
}

/// The length of the window, and the HRV metric that stress is computed from.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The length of the HRV window, 30s to 5m (default: 60s)."), valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long, help: .localized("The HRV metric that stress is computed from (default: rmssd)."))
  var hrv: HRVMetric?

  func validate() throws {
    try window?.duration.require(StressEngine.Settings.windows, "--window", example: "60s")
  }

  /// The settings after the command line, then `base` (those of a recording), then the configuration.
  func settings(
    _ context: CommandContext, base: StressEngine.Settings? = nil, raw: Bool = false
  ) -> StressEngine.Settings {
    var settings = base ?? StressEngine.Settings()
    let window = base == nil ? context.value(.window, option: window) : window
    let hrv = base == nil ? context.value(.hrv, option: hrv) : hrv
    if let window { settings.window = window.duration }
    if let hrv { settings.metric = hrv }
    if raw { settings.classification = .none }
    return settings
  }
}

extension HRVMetric: ExpressibleByArgument {}

/// The name of a profile: one person. 1 to 64 characters, none of them a control character.
struct ProfileName: ExpressibleByArgument, Equatable, Sendable {
  let name: String

  init?(argument: String) {
    let isPrintable = argument.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...64).contains(argument.count), isPrintable else { return nil }
    name = argument
  }

  /// - Throws: ``ValidationError`` for a name that a new profile cannot have, because it would be displayed differently.
  func requireNew() throws {
    guard name.asProfileName == name else {
      throw ValidationError(
        Phrase(
          "'\(name.printable)' is not the name of a profile: type 1 to 64 characters without control characters."
        ))
    }
  }

  static var defaultCompletionKind: CompletionKind { Completions.profiles }
}
