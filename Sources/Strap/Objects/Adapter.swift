/// `org.bluez.Adapter1`: a Bluetooth controller as bluetoothd sees it.
struct Adapter: Equatable, Sendable {
  var path: String
  var address: String
  var powered: Bool
  /// `on`, `off`, `off-blocked` and the states between; since BlueZ 5.66.
  var powerState: String?

  static let interface = "org.bluez.Adapter1"

  init(path: String, properties: ObjectTree.Properties) {
    self.path = path
    address = (properties["Address"]?.string ?? "").uppercased()
    powered = properties["Powered"]?.bool ?? false
    powerState = properties["PowerState"]?.string
  }

  /// `hci0`, from the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The number of the controller, by which `hci2` comes before `hci10`.
  var index: Int { Int(name.drop { !$0.isNumber }) ?? .max }

  /// Whether `wanted` is its name or its address.
  func hasNameOrAddress(_ wanted: String) -> Bool { name == wanted || address == wanted.uppercased() }

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

  /// The adapter called `wanted` (`hci0` or its address); without a wish the first that is on, else the first.
  func adapter(_ wanted: String?) -> Adapter? {
    let adapters = adapters
    guard let wanted else { return adapters.first { $0.powered } ?? adapters.first }
    return adapters.first { $0.hasNameOrAddress(wanted) }
  }
}
