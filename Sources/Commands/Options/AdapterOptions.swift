import ArgumentParser
import Localization
import Logging
import NetworkCommands
import Platform
import Strap
import Terminal

/// The Bluetooth adapter.
struct AdapterOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The Bluetooth adapter, by name (hci0) or address (default: the setting 'adapter', else the first).
        """),
      valueName: "adapter"), completion: Completions.adapters)
  var adapter: String?
}

/// The Bluetooth adapter, and the log of its messages.
struct AdapterOptions: ParsableArguments {
  @OptionGroup var selection: AdapterOption
  @OptionGroup var log: LogOptions

  /// BlueZ with this adapter, or the configured one.
  func bluez(_ context: CommandContext) -> BlueZ {
    BlueZ(
      adapter: context.value(.adapter, option: selection.adapter), logger: log.logger(context.environment))
  }
}

/// The log on standard error.
struct LogOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: .localized("Log Bluetooth messages to standard error (also: STRESSMON_LOG=trace|debug|info)."))
  var verbose = false

  func validate() throws { _ = try Self.level(.current) }

  /// - Parameter environment: has been validated.
  func logger(_ environment: ProcessEnvironment) -> Logger {
    let asked = (try? Self.level(environment)) ?? nil
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? min(asked ?? .debug, .debug) : asked ?? .warning
    return logger
  }

  /// The level of STRESSMON_LOG, if it is set.
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
