import ArgumentParser
import Logging

/// How much is told on standard error about what goes on underneath.
struct LogOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show what happens on the bus (also: STRESSMON_LOG=trace|debug|info).")
  var verbose = false

  func logger(_ surroundings: Surroundings) -> Logger {
    let asked = surroundings["STRESSMON_LOG"].flatMap { Logger.Level(rawValue: $0.lowercased()) }
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? min(asked ?? .debug, .debug) : asked ?? .warning
    return logger
  }
}
