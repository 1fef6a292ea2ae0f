import Platform

/// The power management of a USB adapter, from `/sys/class/bluetooth`.
struct USBPower: Equatable, Sendable {
  /// `hci0`.
  var name: String
  var product: String?
  /// Whether the kernel suspends it when idle (`power/control` is `auto`).
  var suspendsItself: Bool

  /// The USB adapters; adapters on a serial line have no such power control.
  static func adapters(in tree: SystemTree = SystemTree()) -> [USBPower] {
    let folder = "/sys/class/bluetooth"
    return tree.entries(folder).compactMap { name in
      // `hci0:64` is a connection of hci0.
      guard name.hasPrefix("hci"), !name.contains(":"),
        tree.target("\(folder)/\(name)/device/subsystem") == "usb",
        let control = tree.line("\(folder)/\(name)/device/../power/control")
      else { return nil }
      return USBPower(
        name: name, product: tree.line("\(folder)/\(name)/device/../product"),
        suspendsItself: control == "auto")
    }
  }

  static func finding(_ adapters: [USBPower]) -> Finding? {
    guard !adapters.isEmpty else { return nil }
    func named(_ adapter: USBPower) -> String { adapter.name + (adapter.product.map { " (\($0))" } ?? "") }
    guard let suspended = adapters.first(where: \.suspendsItself) else {
      return Finding(
        "usb power", .ok, "\(adapters.map(named).joined(separator: ", ")) is not suspended when idle")
    }
    return Finding(
      "usb power", .warning,
      "\(named(suspended)) may be suspended between two beats and lose the link (autosuspend)",
      remedy: "echo on | sudo tee /sys/class/bluetooth/\(suspended.name)/device/../power/control")
  }
}
