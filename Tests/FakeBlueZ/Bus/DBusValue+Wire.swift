import CDBus

/// A D-Bus type code; libdbus has them as character macros, which do not import.
private func code(_ letter: Unicode.Scalar) -> CInt { CInt(letter.value) }

extension DBusValue {
  func append(to iterator: inout DBusMessageIter) {
    switch self {
    case .byte(let value): appendBasic("y", value, &iterator)
    case .bool(let value): appendBasic("b", dbus_bool_t(value ? 1 : 0), &iterator)
    case .int16(let value): appendBasic("n", value, &iterator)
    case .uint16(let value): appendBasic("q", value, &iterator)
    case .int32(let value): appendBasic("i", value, &iterator)
    case .uint32(let value): appendBasic("u", value, &iterator)
    case .int64(let value): appendBasic("x", value, &iterator)
    case .uint64(let value): appendBasic("t", value, &iterator)
    case .double(let value): appendBasic("d", value, &iterator)
    case .string(let text): appendText("s", text, &iterator)
    case .path(let text): appendText("o", text, &iterator)
    case .signature(let text): appendText("g", text, &iterator)
    case .descriptor(let value): appendBasic("h", value, &iterator)
    case .bytes(let octets): appendOctets(octets, &iterator)
    case .array(let element, let values): appendContainer("a", element, values, &iterator)
    case .entry(let key, let value): appendContainer("e", nil, [key, value], &iterator)
    case .structure(let fields): appendContainer("r", nil, fields, &iterator)
    case .variant(let value): appendContainer("v", value.signature, [value], &iterator)
    }
  }

  private func appendBasic<Value: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ value: Value, _ iterator: inout DBusMessageIter
  ) {
    var value = value
    dbus_message_iter_append_basic(&iterator, code(type), &value)
  }

  private func appendText(_ type: Unicode.Scalar, _ text: String, _ iterator: inout DBusMessageIter) {
    text.withCString { appendBasic(type, $0, &iterator) }
  }

  private func appendOctets(_ octets: [UInt8], _ iterator: inout DBusMessageIter) {
    var inner = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, code("a"), "y", &inner)
    octets.withUnsafeBufferPointer { buffer in
      // An empty Swift buffer may have no address, which libdbus takes for a mistake.
      guard var start = buffer.baseAddress, !buffer.isEmpty else { return }
      dbus_message_iter_append_fixed_array(&inner, code("y"), &start, CInt(buffer.count))
    }
    dbus_message_iter_close_container(&iterator, &inner)
  }

  private func appendContainer(
    _ type: Unicode.Scalar, _ contents: String?, _ values: [DBusValue], _ iterator: inout DBusMessageIter
  ) {
    var inner = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, code(type), contents, &inner)
    for value in values { value.append(to: &inner) }
    dbus_message_iter_close_container(&iterator, &inner)
  }
}

extension DBusValue {
  /// Every value from `iterator` to the end of its container.
  static func readAll(_ iterator: inout DBusMessageIter) -> [DBusValue] {
    var values: [DBusValue] = []
    while dbus_message_iter_get_arg_type(&iterator) != 0 {
      values.append(read(&iterator))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func read(_ iterator: inout DBusMessageIter) -> DBusValue {
    switch Unicode.Scalar(UInt8(dbus_message_iter_get_arg_type(&iterator))) {
    case "y": .byte(basic(0, &iterator))
    case "b": .bool(basic(dbus_bool_t(0), &iterator) != 0)
    case "n": .int16(basic(0, &iterator))
    case "q": .uint16(basic(0, &iterator))
    case "i": .int32(basic(0, &iterator))
    case "u": .uint32(basic(0, &iterator))
    case "x": .int64(basic(0, &iterator))
    case "t": .uint64(basic(0, &iterator))
    case "d": .double(basic(0, &iterator))
    case "s": .string(text(&iterator))
    case "o": .path(text(&iterator))
    case "g": .signature(text(&iterator))
    case "h": .descriptor(basic(-1, &iterator))
    case "a": readArray(&iterator)
    case "e": readEntry(&iterator)
    case "v": .variant(inside(&iterator)[0])
    default: .structure(inside(&iterator))
    }
  }

  private static func basic<Value: BitwiseCopyable>(_ initial: Value, _ iterator: inout DBusMessageIter)
    -> Value
  {
    var value = initial
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    let pointer: UnsafePointer<CChar>? = basic(nil, &iterator)
    return pointer.map { String(cString: $0) } ?? ""
  }

  private static func inside(_ iterator: inout DBusMessageIter) -> [DBusValue] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return readAll(&inner)
  }

  private static func readEntry(_ iterator: inout DBusMessageIter) -> DBusValue {
    let pair = inside(&iterator)
    return .entry(pair[0], pair[1])
  }

  private static func readArray(_ iterator: inout DBusMessageIter) -> DBusValue {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    guard dbus_message_iter_get_element_type(&iterator) != code("y") else { return readOctets(&inner) }
    let signature = dbus_message_iter_get_signature(&inner)
    defer { dbus_free(signature) }
    return .array(of: signature.map { String(cString: $0) } ?? "", readAll(&inner))
  }

  private static func readOctets(_ inner: inout DBusMessageIter) -> DBusValue {
    var start: UnsafePointer<UInt8>?
    var count: CInt = 0
    dbus_message_iter_get_fixed_array(&inner, &start, &count)
    return .bytes(Array(UnsafeBufferPointer(start: start, count: Int(count))))
  }
}
