import ArgumentParser
import Platform
import Strap

/// The Bluetooth adapter.
struct AdapterOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The Bluetooth adapter, by name (hci0) or address (default: the setting 'adapter', else the first).",
      valueName: "adapter"), completion: Completions.adapters)
  var adapter: String?
}

/// The Bluetooth adapter, and the log of its messages.
struct AdapterOptions: ParsableArguments {
  @OptionGroup var selection: AdapterOption
  @OptionGroup var log: LogOptions

  /// BlueZ with this adapter, or the configured one.
  func bluez(_ configuration: Configuration, _ environment: ProcessEnvironment) -> BlueZ {
    BlueZ(adapter: selection.adapter ?? configuration[.adapter], logger: log.logger(environment))
  }
}
