import CDBus

/// Builds outgoing messages. Nil means out of memory, or a name that D-Bus does not allow.
enum MessageWriter {
  static func message(for call: MethodCall) -> OpaquePointer? {
    guard isWellFormed(call),
      let message = dbus_message_new_method_call(call.destination, call.path, call.interface, call.member)
    else { return nil }
    dbus_message_set_auto_start(message, call.startsService ? 1 : 0)
    return append(call.arguments, to: message)
  }

  static func reply(to call: OpaquePointer, with arguments: [MethodCall.Argument]) -> OpaquePointer? {
    guard let message = dbus_message_new_method_return(call) else { return nil }
    return append(arguments, to: message)
  }

  static func error(_ error: BusError, to call: OpaquePointer) -> OpaquePointer? {
    dbus_message_new_error(call, error.name, error.message)
  }

  /// libdbus aborts on names that are none, so they are looked at first.
  private static func isWellFormed(_ call: MethodCall) -> Bool {
    dbus_validate_bus_name(call.destination, nil) != 0 && dbus_validate_path(call.path, nil) != 0
      && dbus_validate_interface(call.interface, nil) != 0 && dbus_validate_member(call.member, nil) != 0
  }

  private static func append(_ arguments: [MethodCall.Argument], to message: OpaquePointer) -> OpaquePointer?
  {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    guard arguments.allSatisfy({ append($0, to: &iterator) }) else {
      dbus_message_unref(message)
      return nil
    }
    return message
  }

  private static func append(_ argument: MethodCall.Argument, to iterator: inout DBusMessageIter) -> Bool {
    switch argument {
    case .bool(let value): append(value, to: &iterator)
    case .uint32(let value): append(value, to: &iterator)
    case .string(let text): append(text, as: "s", to: &iterator)
    case .objectPath(let path):
      dbus_validate_path(path, nil) != 0 && append(path, as: "o", to: &iterator)
    case .options(let options):
      within("a", of: "{sv}", in: &iterator) { dictionary in
        options.sorted { $0.key < $1.key }.allSatisfy { key, value in
          within("e", of: nil, in: &dictionary) { entry in
            append(key, as: "s", to: &entry) && append(value, to: &entry)
          }
        }
      }
    }
  }

  private static func append(_ option: MethodCall.Option, to iterator: inout DBusMessageIter) -> Bool {
    switch option {
    case .bool(let value): within("v", of: "b", in: &iterator) { append(value, to: &$0) }
    case .string(let text): within("v", of: "s", in: &iterator) { append(text, as: "s", to: &$0) }
    case .strings(let texts):
      within("v", of: "as", in: &iterator) { variant in
        within("a", of: "s", in: &variant) { array in
          texts.allSatisfy { append($0, as: "s", to: &array) }
        }
      }
    }
  }

  private static func append(_ value: Bool, to iterator: inout DBusMessageIter) -> Bool {
    var value: dbus_bool_t = value ? 1 : 0
    return dbus_message_iter_append_basic(&iterator, code("b"), &value) != 0
  }

  private static func append(_ value: UInt32, to iterator: inout DBusMessageIter) -> Bool {
    var value = value
    return dbus_message_iter_append_basic(&iterator, code("u"), &value) != 0
  }

  private static func append(
    _ text: String, as type: Unicode.Scalar, to iterator: inout DBusMessageIter
  ) -> Bool {
    text.withCString { pointer in
      guard dbus_validate_utf8(pointer, nil) != 0 else { return false }
      var pointer: UnsafePointer<CChar>? = pointer
      return dbus_message_iter_append_basic(&iterator, code(type), &pointer) != 0
    }
  }

  private static func within(
    _ container: Unicode.Scalar, of signature: String?, in iterator: inout DBusMessageIter,
    _ fill: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, code(container), signature, &inner) != 0 else {
      return false
    }
    guard fill(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }

  private static func code(_ type: Unicode.Scalar) -> CInt { CInt(UInt8(ascii: type)) }
}
