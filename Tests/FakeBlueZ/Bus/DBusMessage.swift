import CDBus

/// Owns one reference to a libdbus message; confined to the thread of its connection.
final class DBusMessage {
  enum Kind: CInt {
    case invalid, call, reply, error, signal
  }

  let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }
  deinit { dbus_message_unref(pointer) }

  var kind: Kind { Kind(rawValue: dbus_message_get_type(pointer)) ?? .invalid }
  var sender: String { text(dbus_message_get_sender(pointer)) }
  var path: String { text(dbus_message_get_path(pointer)) }
  var interface: String { text(dbus_message_get_interface(pointer)) }
  var member: String { text(dbus_message_get_member(pointer)) }
  var signature: String { text(dbus_message_get_signature(pointer)) }
  var errorName: String { text(dbus_message_get_error_name(pointer)) }
  var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
  var wantsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

  var arguments: [DBusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(pointer, &iterator) != 0 else { return [] }
    return DBusValue.readAll(&iterator)
  }

  func append(_ values: [DBusValue]) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(pointer, &iterator)
    for value in values { value.append(to: &iterator) }
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}

extension DBusMessage {
  // libdbus returns no message only when memory is out or a name is malformed: both are a mistake of the test.
  static func call(to destination: String, _ path: String, _ interface: String, _ member: String)
    -> DBusMessage
  {
    DBusMessage(owning: dbus_message_new_method_call(destination, path, interface, member))
  }

  static func signal(_ path: String, _ interface: String, _ member: String) -> DBusMessage {
    DBusMessage(owning: dbus_message_new_signal(path, interface, member))
  }

  func answer(_ values: [DBusValue]) -> DBusMessage {
    let reply = DBusMessage(owning: dbus_message_new_method_return(pointer))
    reply.append(values)
    return reply
  }

  func answer(_ error: BusError) -> DBusMessage {
    DBusMessage(owning: dbus_message_new_error(pointer, error.name, error.message))
  }
}
