import CDBus

/// Sends everybody on the bus a new value of a characteristic, as bluetoothd would, but under another name. Signals
/// to one receiver pass by the match rules, so nothing but the sender's name tells them from real ones.
func sendSpoofedValue(_ payload: [UInt8], of path: String, onBusAt address: String) {
  guard let connection = dbus_connection_open_private(address, nil) else { return }
  defer {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }
  dbus_bus_register(connection, nil)
  // The names are counted up: all that can be there are below this one's.
  let own = String(cString: dbus_bus_get_unique_name(connection))
  let last = own.split(separator: ".").last.flatMap { Int($0) } ?? 0
  for number in 0..<last {
    guard let message = dbus_message_new_signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
    else {
      continue
    }
    dbus_message_set_destination(message, ":1.\(number)")
    appendValue(payload, to: message)
    dbus_connection_send(connection, message, nil)
    dbus_message_unref(message)
  }
  dbus_connection_flush(connection)
}

private func appendValue(_ payload: [UInt8], to message: OpaquePointer) {
  var (arguments, dictionary, entry, variant, bytes, list) = (
    DBusMessageIter(), DBusMessageIter(), DBusMessageIter(), DBusMessageIter(), DBusMessageIter(),
    DBusMessageIter()
  )
  func append(_ text: String, to iterator: inout DBusMessageIter) {
    text.withCString {
      var pointer: UnsafePointer<CChar>? = $0
      _ = dbus_message_iter_append_basic(&iterator, CInt(UInt8(ascii: "s")), &pointer)
    }
  }
  func open(
    _ type: Unicode.Scalar, _ signature: String?, _ outer: inout DBusMessageIter,
    _ inner: inout DBusMessageIter
  ) {
    dbus_message_iter_open_container(&outer, CInt(UInt8(ascii: type)), signature, &inner)
  }
  dbus_message_iter_init_append(message, &arguments)
  append("org.bluez.GattCharacteristic1", to: &arguments)
  open("a", "{sv}", &arguments, &dictionary)
  open("e", nil, &dictionary, &entry)
  append("Value", to: &entry)
  open("v", "ay", &entry, &variant)
  open("a", "y", &variant, &bytes)
  for byte in payload {
    var byte = byte
    dbus_message_iter_append_basic(&bytes, CInt(UInt8(ascii: "y")), &byte)
  }
  dbus_message_iter_close_container(&variant, &bytes)
  dbus_message_iter_close_container(&entry, &variant)
  dbus_message_iter_close_container(&dictionary, &entry)
  dbus_message_iter_close_container(&arguments, &dictionary)
  open("a", "s", &arguments, &list)
  dbus_message_iter_close_container(&arguments, &list)
}
