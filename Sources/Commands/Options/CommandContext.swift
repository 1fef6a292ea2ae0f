import ArgumentParser
import History
import Platform
import Reports

/// The surroundings of a command: its environment and its settings.
struct CommandContext: Sendable {
  let environment: ProcessEnvironment
  var configuration: Configuration

  /// Reads the settings of the user.
  /// - Throws: ``ConfigurationError`` if the file of the settings cannot be read.
  init(environment: ProcessEnvironment = .current) throws(ConfigurationError) {
    try self.init(environment: environment, configuration: Configuration(environment: environment))
  }

  init(environment: ProcessEnvironment, configuration: Configuration) {
    (self.environment, self.configuration) = (environment, configuration)
  }

  /// The value of a setting as written in the file, if it is set.
  subscript(key: Configuration.Key) -> String? { configuration[key] }

  /// The value of a setting that has an option: that of the option, else that of the file.
  func value<Value: ExpressibleByArgument>(_ key: Configuration.Key, option: Value?) -> Value? {
    option ?? configuration[key].flatMap(Value.init(argument:))
  }

  /// The name of a profile, unless it is that of commands without `--profile`.
  func named(_ profile: String) -> String? {
    profile == (self[.profile] ?? ProfileCheck.usual) ? nil : profile
  }

  /// The option that selects a profile in commands, with a space before it; empty for that of commands without `--profile`.
  func profileOption(_ profile: String) -> String {
    named(profile).map { " --profile \(HistoryError.quoted($0))" } ?? ""
  }
}
