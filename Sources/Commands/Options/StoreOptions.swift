public import ArgumentParser
import HRV
import History
public import Stress

/// Whose data, and where they are kept.
struct StoreOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Whose measurements these are (default: me).", valueName: "name"))
  var profile: ProfileName?

  @OptionGroup var database: DatabaseOptions

  /// Who it is, after the command line and the configuration.
  func profileName(_ configuration: Configuration) -> String {
    profile?.name ?? configuration[.profile] ?? "me"
  }

  /// Where the history is.
  func location(_ configuration: Configuration, _ surroundings: Surroundings) throws(HistoryError)
    -> StoreLocation
  {
    try database.location(configuration, surroundings)
  }
}

/// Where data are kept.
struct DatabaseOptions: ParsableArguments {
  @Option(
    name: .customLong("db"),
    help: ArgumentHelp(
      "The database (default: STRESSMON_DB, or stressmon/stressmon.db under XDG_DATA_HOME).",
      valueName: "path"))
  var path: String?

  /// Where the history is: the command line, the environment, the configuration, the usual place.
  func location(_ configuration: Configuration, _ surroundings: Surroundings) throws(HistoryError)
    -> StoreLocation
  {
    var path = path ?? surroundings["STRESSMON_DB"] ?? configuration[.database]
    if let chosen = path, chosen.hasPrefix("~/"), let home = surroundings["HOME"] {
      path = home + chosen.dropFirst()
    }
    return try StoreLocation(path: path, environment: surroundings.environment)
  }
}

/// What a window is, and what stress is computed from.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Length of the HRV window, 30s to 5m (default: 60s).", valueName: "duration"))
  var window: DurationArgument?

  @Option(
    name: .long, help: "The measure of HRV that stress is computed from: rmssd or sdnn (default: rmssd).")
  var hrv: HRVMetric?

  func validate() throws {
    if let window, !StressEngine.Settings.windows.contains(window.duration) {
      throw ValidationError("'--window \(window.duration.shortText)' is out of range: it takes 30s to 5m.")
    }
  }

  /// The settings after the command line, then `base` (what a recording was made with), then the configuration.
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
    if raw { settings.judging = .none }
    return settings
  }
}

extension HRVMetric: ExpressibleByArgument {}
