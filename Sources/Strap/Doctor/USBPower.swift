/// How the kernel saves power on a USB adapter, from `/sys/class/bluetooth`.
struct USBPower: Equatable, Sendable {
  /// `hci0`.
  var name: String
  var product: String?
  /// Whether the kernel lets it sleep when nothing has come for a while (`power/control` is `auto`).
  var suspendsItself: Bool

  /// The adapters on USB; those on a serial line have no such power control.
  static func adapters(in tree: SystemTree = SystemTree()) -> [USBPower] {
    let folder = "/sys/class/bluetooth"
    return tree.entries(folder).compactMap { name in
      // `hci0:64` is a link of hci0.
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
    guard let sleeper = adapters.first(where: \.suspendsItself) else {
      return Finding("usb power", .ok, "\(adapters.map(named).joined(separator: ", ")) stays awake")
    }
    return Finding(
      "usb power", .warning,
      "\(named(sleeper)) may fall asleep between two beats and lose the link (autosuspend)",
      remedy: "echo on | sudo tee /sys/class/bluetooth/\(sleeper.name)/device/../power/control")
  }
}
