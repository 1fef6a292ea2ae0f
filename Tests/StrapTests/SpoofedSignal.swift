import DBus

/// Sends a new value of a characteristic to every client of the bus, as bluetoothd would, but from another connection.
/// Signals with a destination bypass match rules, so only the sender distinguishes them from real ones.
func sendSpoofedValue(_ payload: [UInt8], of path: String, onBusAt address: String) {
  guard let connection = try? PolledBusConnection(address: address) else { return }
  // Unique names are numbered consecutively: all clients that exist have lower numbers.
  let last = connection.uniqueName.split(separator: ".").last.flatMap { Int($0) } ?? 0
  let arguments: [DBusValue] = [
    .string("org.bluez.GattCharacteristic1"), .properties(["Value": .bytes(payload)]), .strings([]),
  ]
  for number in 0..<last {
    let signal = DBusMessage.signal(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged", arguments, to: ":1.\(number)")
    if let signal { connection.send(signal) }
  }
  connection.flush()
}
