import DBus
import HeartRate

/// The sightings of an adapter, kept up to date object by object.
///
/// In a crowd, bluetoothd adds hundreds of devices per second. Deriving all sightings from the tree for each of them took most
/// of a core.
struct SightingIndex: Sendable {
  private(set) var adapter: Adapter?
  /// By the path of the device.
  private var sightings: [String: BluetoothSnapshot.Sighting] = [:]

  /// The sightings, sorted by path.
  /// - Complexity: O(n log n).
  var all: [BluetoothSnapshot.Sighting] { sightings.sorted { $0.key < $1.key }.map(\.value) }

  /// Derives all sightings, if the adapter is another one.
  mutating func select(_ adapter: Adapter?, in tree: ObjectTree) {
    guard adapter?.path != self.adapter?.path else { return }
    self.adapter = adapter
    rebuild(tree)
  }

  mutating func rebuild(_ tree: ObjectTree) {
    sightings = [:]
    guard let adapter else { return }
    for device in tree.devices(of: adapter) { sightings[device.path] = tree.sighting(of: device) }
  }

  /// Updates the sighting of the device to which the object at `path` belongs.
  /// - Returns: The address of the device, also of one that was removed, or `nil` if the object belongs to no device.
  /// - Complexity: O(m) for m characteristics of linked devices.
  mutating func update(_ path: String, in tree: ObjectTree) -> String? {
    guard let path = devicePath(of: path, in: tree) else { return nil }
    let old = sightings.removeValue(forKey: path)?.found.strap.address
    guard let properties = tree.properties(of: Device.interface, at: path) else { return old }
    let device = Device(path: path, properties: properties)
    if let adapter, device.belongs(to: adapter, properties) { sightings[path] = tree.sighting(of: device) }
    return device.address
  }

  /// The path itself, or the nearest one above it, that is or was a device.
  private func devicePath(of path: String, in tree: ObjectTree) -> String? {
    var path = path
    while sightings[path] == nil, tree.properties(of: Device.interface, at: path) == nil {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
      path = String(path[..<slash])
    }
    return path
  }
}

extension ObjectTree {
  fileprivate func sighting(of device: Device) -> BluetoothSnapshot.Sighting {
    BluetoothSnapshot.Sighting(
      found: device.found, servicesResolved: device.servicesResolved,
      measurement: characteristic(GATTUUID.heartRateMeasurement, of: device), sensors: sensors(of: device),
      hasEarlierSensors: device.connected
        && characteristic(GATTUUID.earlierSensorControl, of: device) != nil)
  }
}
