import CDBus
import Glibc

/// Reads the arguments of any message. A value of an unexpected type is skipped and never traps. libdbus has already
/// checked lengths, alignment, UTF-8 and nesting (at most 64 containers).
@safe struct MessageReader {
  private var iterator = unsafe DBusMessageIter()
  private var isEmpty: Bool

  init(_ message: OpaquePointer) {
    isEmpty = unsafe dbus_message_iter_init(message, &iterator) == 0
  }

  private init(container: inout DBusMessageIter) {
    unsafe dbus_message_iter_recurse(&container, &iterator)
    isEmpty = false
  }

  /// All arguments of a message.
  ///
  /// - Parameter readingDescriptors: Whether file descriptors are duplicated out of the message; the caller closes them.
  static func arguments(of message: OpaquePointer, readingDescriptors: Bool = false) -> [DBusValue] {
    var reader = unsafe MessageReader(message)
    return reader.isEmpty ? [] : reader.values(readingDescriptors)
  }

  /// The type of the next value as in a signature; 0 at the end.
  var type: UInt8 {
    mutating get { isEmpty ? 0 : UInt8(truncatingIfNeeded: unsafe dbus_message_iter_get_arg_type(&iterator)) }
  }

  mutating func skip() { unsafe dbus_message_iter_next(&iterator) }

  /// A reader of the contents of the current array, structure, variant or dictionary entry.
  mutating func inside() -> MessageReader { unsafe MessageReader(container: &iterator) }

  /// Whether the current value is the string `text`; compared in place.
  mutating func isString(_ text: StaticString) -> Bool {
    guard type == UInt8(ascii: "s") else { return false }
    var pointer: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&iterator, &pointer)
    guard let pointer = unsafe pointer else { return false }
    return unsafe strcmp(pointer, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
  }

  /// The current array of bytes, if the value has this type.
  mutating func bytes() -> [UInt8]? {
    guard type == UInt8(ascii: "a"), elementType == UInt8(ascii: "y") else { return nil }
    var array = inside()
    var start: UnsafePointer<UInt8>?
    var count: CInt = 0
    unsafe dbus_message_iter_get_fixed_array(&array.iterator, &start, &count)
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// The type of the elements of the current array.
  var elementType: UInt8 {
    mutating get { UInt8(truncatingIfNeeded: unsafe dbus_message_iter_get_element_type(&iterator)) }
  }
}

// MARK: - Whole values

extension MessageReader {
  /// All values from the current one to the end of the container.
  private mutating func values(_ readingDescriptors: Bool) -> [DBusValue] {
    var values: [DBusValue] = []
    while type != 0 {
      values.append(value(readingDescriptors))
      skip()
    }
    return values
  }

  private mutating func value(_ readingDescriptors: Bool) -> DBusValue {
    switch type {
    case UInt8(ascii: "b"): .bool(basic(UInt32(0)) != 0)
    case UInt8(ascii: "y"): .byte(basic(0))
    case UInt8(ascii: "n"): .int16(basic(0))
    case UInt8(ascii: "q"): .uint16(basic(0))
    case UInt8(ascii: "i"): .int32(basic(0))
    case UInt8(ascii: "u"): .uint32(basic(0))
    case UInt8(ascii: "x"): .int64(basic(0))
    case UInt8(ascii: "t"): .uint64(basic(0))
    case UInt8(ascii: "d"): .double(basic(0))
    case UInt8(ascii: "s"): .string(text())
    case UInt8(ascii: "o"): .objectPath(text())
    case UInt8(ascii: "g"): .signature(text())
    case UInt8(ascii: "h") where readingDescriptors: .descriptor(basic(-1))
    case UInt8(ascii: "v"): .variant(contents(readingDescriptors).first ?? .unread(type: 0))
    case UInt8(ascii: "a"): array(readingDescriptors)
    case UInt8(ascii: "r"): .structure(contents(readingDescriptors))
    case UInt8(ascii: "e"): entry(readingDescriptors)
    case let other: .unread(type: other)
    }
  }

  private mutating func contents(_ readingDescriptors: Bool) -> [DBusValue] {
    var inner = inside()
    return inner.values(readingDescriptors)
  }

  private mutating func entry(_ readingDescriptors: Bool) -> DBusValue {
    var inner = inside()
    let key = inner.value(readingDescriptors)
    inner.skip()
    return .entry(key, inner.value(readingDescriptors))
  }

  private mutating func array(_ readingDescriptors: Bool) -> DBusValue {
    if let bytes = bytes() { return .bytes(bytes) }
    var elements = inside()
    let signature = elements.signature()
    return .array(of: signature, elements.values(readingDescriptors))
  }

  /// The signature of the current value, also at the end of an array.
  private mutating func signature() -> String {
    let signature = unsafe dbus_message_iter_get_signature(&iterator)
    defer { unsafe dbus_free(signature) }
    return unsafe signature.map { unsafe String(cString: $0) } ?? ""
  }

  /// The current value, whose type is that of `value`: a number, or a Boolean as `UInt32`.
  private mutating func basic<Value: BitwiseCopyable>(_ value: Value) -> Value {
    var value = value
    unsafe dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  /// The current string, object path or signature.
  private mutating func text() -> String {
    var pointer: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&iterator, &pointer)
    return unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}
