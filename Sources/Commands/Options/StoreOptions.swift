public import ArgumentParser
import HRV
import History
import Platform
public import Stress

/// The profile, and the database that contains it.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The profile of the measured person (default: the setting 'profile', else me).", valueName: "name"
    ))
  var profile: ProfileName?

  @OptionGroup var database: DatabaseOptions

  /// The profile of the command line, else of the configuration, else `me`.
  func profileName(_ configuration: Configuration) -> String {
    profile?.name ?? Self.defaultProfile(configuration)
  }

  /// The profile for a command that only reads.
  /// - Throws: ``CommandFailure`` if `--profile` names a profile that does not exist.
  func existingProfile(_ configuration: Configuration, _ environment: ProcessEnvironment) throws -> String {
    let name = profileName(configuration)
    guard name != Self.defaultProfile(configuration) else { return name }
    if let failure = try ProfileCheck(location(configuration, environment)).unknown(name) { throw failure }
    return name
  }

  /// The profile for a command that stores data. If `--profile` names a new one, requests confirmation on a terminal
  /// (if `interactive`), and prints a notice elsewhere. An unreadable history does not prevent the measurement.
  /// - Throws: ``CommandFailure`` unless the creation is confirmed.
  func profileToStore(
    _ configuration: Configuration, _ environment: ProcessEnvironment, named: String? = nil,
    interactive: Bool = true
  ) throws -> String {
    let name = named ?? profileName(configuration)
    guard name != Self.defaultProfile(configuration),
      let location = try? location(configuration, environment), let check = try? ProfileCheck(location)
    else { return name }
    try check.confirmCreation(of: name, interactive: interactive)
    return name
  }

  private static func defaultProfile(_ configuration: Configuration) -> String {
    configuration[.profile] ?? "me"
  }

  /// The location of the history.
  func location(_ configuration: Configuration, _ environment: ProcessEnvironment) throws(HistoryError)
    -> StoreLocation
  {
    try database.location(configuration, environment)
  }
}

/// The database.
struct DatabaseOptions: ParsableArguments {
  @Option(
    name: .customLong("db"),
    help: ArgumentHelp(
      "The database file (default: STRESSMON_DB, the setting 'database', or $XDG_DATA_HOME/stressmon/stressmon.db).",
      valueName: "path"), completion: Completions.files)
  var path: String?

  /// The path of the command line, else of the environment, else of the configuration, else the default.
  func location(_ configuration: Configuration, _ environment: ProcessEnvironment) throws(HistoryError)
    -> StoreLocation
  {
    let path = path ?? environment["STRESSMON_DB"] ?? configuration[.database]
    return try StoreLocation(path: path.map(environment.expandingTilde), environment: environment.variables)
  }
}

/// The length of the window, and the HRV metric that stress is computed from.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("The length of the HRV window, 30s to 5m (default: 60s).", valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long, help: "The HRV metric that stress is computed from (default: rmssd).")
  var hrv: HRVMetric?

  func validate() throws {
    try window?.duration.require(StressEngine.Settings.windows, "--window", example: "60s")
  }

  /// The settings after the command line, then `base` (those of a recording), then the configuration.
  func settings(
    _ configuration: Configuration, base: StressEngine.Settings? = nil, raw: Bool = false
  ) -> StressEngine.Settings {
    var settings = base ?? StressEngine.Settings()
    if base == nil, let configured = configuration[.window].flatMap(DurationArgument.init(argument:)) {
      settings.window = configured.duration
    }
    if base == nil, let configured = configuration[.hrv].flatMap(HRVMetric.init(rawValue:)) {
      settings.metric = configured
    }
    if let window { settings.window = window.duration }
    if let hrv { settings.metric = hrv }
    if raw { settings.classification = .none }
    return settings
  }
}

extension HRVMetric: ExpressibleByArgument {}
