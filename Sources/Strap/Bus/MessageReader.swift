import CDBus
import Glibc

/// Reads the arguments of any message: what the types do not match is passed over, never trapped on. libdbus has
/// checked lengths, alignment, UTF-8 and nesting (at most 64 containers) before a message gets here.
struct MessageReader {
  private var iterator = DBusMessageIter()
  private var isEmpty: Bool

  init(_ message: OpaquePointer) {
    isEmpty = dbus_message_iter_init(message, &iterator) == 0
  }

  private init(container: inout DBusMessageIter) {
    dbus_message_iter_recurse(&container, &iterator)
    isEmpty = false
  }

  static func arguments(of message: OpaquePointer) -> [DBusValue] {
    var reader = MessageReader(message)
    return reader.isEmpty ? [] : reader.values()
  }

  /// The type of the next value as in a signature; 0 at the end.
  var type: UInt8 {
    mutating get { isEmpty ? 0 : UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) }
  }

  mutating func skip() { dbus_message_iter_next(&iterator) }

  /// A reader of what the array, structure, variant or dictionary entry at hand holds.
  mutating func inside() -> MessageReader { MessageReader(container: &iterator) }

  /// Whether the string at hand is `text`; compared in place.
  mutating func isString(_ text: StaticString) -> Bool {
    guard type == UInt8(ascii: "s") else { return false }
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    guard let pointer else { return false }
    return strcmp(pointer, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
  }

  /// The array of bytes at hand; nil if it is something else.
  mutating func bytes() -> [UInt8]? {
    guard type == UInt8(ascii: "a"), elementType == UInt8(ascii: "y") else { return nil }
    var array = inside()
    var start: UnsafePointer<UInt8>?
    var count: CInt = 0
    dbus_message_iter_get_fixed_array(&array.iterator, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// The type of the elements of the array at hand.
  var elementType: UInt8 {
    mutating get { UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator)) }
  }

  /// The value at hand, whose type is that of `value`: a number, or a truth value as `UInt32`.
  mutating func basic<Value: BitwiseCopyable>(_ value: Value) -> Value {
    var value = value
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  /// The string, object path or signature at hand.
  mutating func text() -> String {
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    return pointer.map { String(cString: $0) } ?? ""
  }
}
