import ArgumentParser
import Strap

/// Which Bluetooth adapter.
struct AdapterOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The Bluetooth adapter: hci0, or its address.", valueName: "adapter"))
  var adapter: String?

  @OptionGroup var log: LogOptions

  /// BlueZ by way of that adapter, or the configured one.
  func bluez(_ configuration: Configuration, _ surroundings: Surroundings) -> BlueZ {
    BlueZ(adapter: adapter ?? configuration[.adapter], logger: log.logger(surroundings))
  }
}
