import ArgumentParser
import Logging
import Platform

/// The log on standard error.
struct LogOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Log Bluetooth messages to standard error (also: STRESSMON_LOG=trace|debug|info).")
  var verbose = false

  func logger(_ environment: ProcessEnvironment) -> Logger {
    let asked = environment["STRESSMON_LOG"].flatMap { Logger.Level(rawValue: $0.lowercased()) }
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? min(asked ?? .debug, .debug) : asked ?? .warning
    return logger
  }
}
