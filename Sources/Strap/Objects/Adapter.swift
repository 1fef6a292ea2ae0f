import DBus

/// `org.bluez.Adapter1`: a Bluetooth controller.
struct Adapter: Equatable, Sendable {
  var path: String
  var address: String
  var powered: Bool
  /// `on`, `off`, `off-blocked` or a transition between them; since BlueZ 5.66.
  var powerState: String?

  static let interface = "org.bluez.Adapter1"

  init(path: String, properties: ObjectTree.Properties) {
    self.path = path
    address = (properties["Address"]?.string ?? "").uppercased()
    powered = properties["Powered"]?.bool ?? false
    powerState = properties["PowerState"]?.string
  }

  /// The last component of the path, such as `hci0`.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The number of the controller, for sorting: `hci2` precedes `hci10`.
  var index: Int { Int(name.drop { !$0.isNumber }) ?? .max }

  func hasNameOrAddress(_ text: String) -> Bool { name == text || address == text.uppercased() }

  enum Power: Equatable, Sendable { case on, off, blocked }

  var power: Power {
    if powered { return .on }
    return powerState == "off-blocked" ? .blocked : .off
  }
}

extension ObjectTree {
  var adapters: [Adapter] {
    all(with: Adapter.interface).map { Adapter(path: $0.path, properties: $0.properties) }
      .sorted { $0.index < $1.index }
  }

  /// The adapter with this name (`hci0`) or address. If none is requested, the first one that is on, or else the first one.
  func adapter(_ requested: String?) -> Adapter? {
    let adapters = adapters
    guard let requested else { return adapters.first { $0.powered } ?? adapters.first }
    return adapters.first { $0.hasNameOrAddress(requested) }
  }
}
