import CDBus

/// Creates outgoing messages. All functions fail if memory is exhausted, or if a name or a value is not valid in D-Bus: names
/// and paths are validated first, because libdbus aborts on invalid ones.
enum MessageWriter {
  static func message(for call: MethodCall) -> OpaquePointer? {
    guard isWellFormed(call),
      let message = unsafe dbus_message_new_method_call(
        call.destination, call.path, call.interface, call.member)
    else { return nil }
    unsafe dbus_message_set_auto_start(message, call.startsService ? 1 : 0)
    return unsafe append(call.arguments, to: message)
  }

  static func signal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue], to destination: String?
  ) -> OpaquePointer? {
    guard isWellFormed(path, interface, member),
      let message = unsafe dbus_message_new_signal(path, interface, member)
    else { return nil }
    if let destination { unsafe dbus_message_set_destination(message, destination) }
    return unsafe append(arguments, to: message)
  }

  static func reply(to call: OpaquePointer, with arguments: [DBusValue]) -> OpaquePointer? {
    guard let message = unsafe dbus_message_new_method_return(call) else { return nil }
    return unsafe append(arguments, to: message)
  }

  static func error(_ error: BusError, to call: OpaquePointer) -> OpaquePointer? {
    unsafe dbus_message_new_error(call, error.name, error.message)
  }

  private static func isWellFormed(_ call: MethodCall) -> Bool {
    unsafe dbus_validate_bus_name(call.destination, nil) != 0
      && isWellFormed(call.path, call.interface, call.member)
  }

  private static func isWellFormed(_ path: String, _ interface: String, _ member: String) -> Bool {
    unsafe dbus_validate_path(path, nil) != 0 && dbus_validate_interface(interface, nil) != 0
      && dbus_validate_member(member, nil) != 0
  }

  private static func append(_ arguments: [DBusValue], to message: OpaquePointer) -> OpaquePointer? {
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(message, &iterator)
    guard arguments.allSatisfy({ unsafe append($0, to: &iterator) }) else {
      unsafe dbus_message_unref(message)
      return nil
    }
    return unsafe message
  }

  // MARK: Values

  private static func append(_ value: DBusValue, to iterator: inout DBusMessageIter) -> Bool {
    switch value {
    case .byte(let value): unsafe append(value, as: "y", to: &iterator)
    case .bool(let value): unsafe append(dbus_bool_t(value ? 1 : 0), as: "b", to: &iterator)
    case .int16(let value): unsafe append(value, as: "n", to: &iterator)
    case .uint16(let value): unsafe append(value, as: "q", to: &iterator)
    case .int32(let value): unsafe append(value, as: "i", to: &iterator)
    case .uint32(let value): unsafe append(value, as: "u", to: &iterator)
    case .int64(let value): unsafe append(value, as: "x", to: &iterator)
    case .uint64(let value): unsafe append(value, as: "t", to: &iterator)
    case .double(let value): unsafe append(value, as: "d", to: &iterator)
    case .descriptor(let value): unsafe append(value, as: "h", to: &iterator)
    case .string(let text): unsafe append(text: text, as: "s", to: &iterator)
    case .objectPath(let path):
      unsafe dbus_validate_path(path, nil) != 0 && append(text: path, as: "o", to: &iterator)
    case .signature(let text):
      unsafe dbus_signature_validate(text, nil) != 0 && append(text: text, as: "g", to: &iterator)
    case .bytes(let bytes): unsafe append(bytes, to: &iterator)
    case .array(let element, let values): unsafe append(values, in: "a", of: element, to: &iterator)
    case .entry(let key, let value): unsafe append([key, value], in: "e", of: nil, to: &iterator)
    case .structure(let fields): unsafe append(fields, in: "r", of: nil, to: &iterator)
    case .variant(let value): unsafe append([value], in: "v", of: value.signature, to: &iterator)
    case .unread: false
    }
  }

  private static func append<Value: BitwiseCopyable>(
    _ value: Value, as type: Unicode.Scalar, to iterator: inout DBusMessageIter
  ) -> Bool {
    var value = value
    return unsafe dbus_message_iter_append_basic(&iterator, code(type), &value) != 0
  }

  private static func append(
    text: String, as type: Unicode.Scalar, to iterator: inout DBusMessageIter
  ) -> Bool {
    unsafe text.withCString { pointer in
      guard unsafe dbus_validate_utf8(pointer, nil) != 0 else { return false }
      var pointer: UnsafePointer<CChar>? = unsafe pointer
      return unsafe dbus_message_iter_append_basic(&iterator, code(type), &pointer) != 0
    }
  }

  private static func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) -> Bool {
    unsafe within("a", of: "y", in: &iterator) { array in
      unsafe bytes.withUnsafeBufferPointer { buffer in
        // libdbus rejects the null address that an empty Swift buffer may have.
        guard var start = buffer.baseAddress, !buffer.isEmpty else { return true }
        return unsafe dbus_message_iter_append_fixed_array(&array, code("y"), &start, CInt(buffer.count)) != 0
      }
    }
  }

  private static func append(
    _ values: [DBusValue], in container: Unicode.Scalar, of signature: String?,
    to iterator: inout DBusMessageIter
  ) -> Bool {
    unsafe within(container, of: signature, in: &iterator) { inner in
      values.allSatisfy { unsafe append($0, to: &inner) }
    }
  }

  private static func within(
    _ container: Unicode.Scalar, of signature: String?, in iterator: inout DBusMessageIter,
    _ fill: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_open_container(&iterator, code(container), signature, &inner) != 0 else {
      return false
    }
    guard unsafe fill(&inner) else {
      unsafe dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return unsafe dbus_message_iter_close_container(&iterator, &inner) != 0
  }

  private static func code(_ type: Unicode.Scalar) -> CInt { CInt(UInt8(ascii: type)) }
}
