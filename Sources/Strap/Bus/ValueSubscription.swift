import CDBus
import Glibc

/// Picks the new values of one characteristic out of the stream of signals. This is the hot path: names are
/// compared in place, and only the payload is copied.
struct ValueSubscription: Sendable {
  /// The unique name of the service: what anybody else sends is not believed.
  var sender: String
  /// The characteristic; compared whole, since `char0010` is a prefix of `char0010f`.
  var path: String
  /// Gets each payload with its arrival in nanoseconds of ``BootClock``, on the bus thread.
  var receive: @Sendable (_ payload: [UInt8], _ arrival: Int64) -> Void

  func matches(_ message: OpaquePointer) -> Bool {
    dbus_message_is_signal(message, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged") != 0
      && dbus_message_has_path(message, path) != 0 && dbus_message_has_sender(message, sender) != 0
  }

  /// `PropertiesChanged(s interface, a{sv} changed, as invalidated)`: hands on `changed["Value"]`, if it is an
  /// array of bytes.
  func handOn(_ message: OpaquePointer) {
    let arrival = BootClock.now()
    if let payload = Self.value(in: message) { receive(payload, arrival) }
  }

  static func value(in message: OpaquePointer) -> [UInt8]? {
    var arguments = MessageReader(message)
    guard arguments.isString("org.bluez.GattCharacteristic1") else { return nil }
    arguments.skip()
    guard arguments.type == UInt8(ascii: "a"), arguments.elementType == UInt8(ascii: "e") else { return nil }
    var changed = arguments.inside()
    while changed.type != 0 {
      var entry = changed.inside()
      if entry.isString("Value") {
        entry.skip()
        guard entry.type == UInt8(ascii: "v") else { return nil }
        var value = entry.inside()
        return value.bytes()
      }
      changed.skip()
    }
    return nil
  }
}
