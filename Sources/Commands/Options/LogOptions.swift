import ArgumentParser
import Localization
import Logging
import Platform
import Terminal

/// The log on standard error.
struct LogOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Log Bluetooth messages to standard error (also: STRESSMON_LOG=trace|debug|info).")
  var verbose = false

  func validate() throws { _ = try Self.level(.current) }

  /// - Parameter environment: has been validated.
  func logger(_ environment: ProcessEnvironment) -> Logger {
    let asked = (try? Self.level(environment)) ?? nil
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? min(asked ?? .debug, .debug) : asked ?? .warning
    return logger
  }

  /// The level of STRESSMON_LOG; nil if it is not set.
  /// - Throws: ``ValidationError`` for a text that is not a level.
  static func level(_ environment: ProcessEnvironment) throws(ValidationError) -> Logger.Level? {
    guard let text = environment["STRESSMON_LOG"], !text.isEmpty else { return nil }
    guard let level = Logger.Level(rawValue: text.lowercased()) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        Phrase(
          "STRESSMON_LOG is '\(text.printable)'; the levels are: \(levels). Example: \("STRESSMON_LOG=debug")"
        ))
    }
    return level
  }
}
