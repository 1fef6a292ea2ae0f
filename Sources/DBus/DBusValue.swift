/// A D-Bus value with its exact type.
package indirect enum DBusValue: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// A file descriptor, which the reader of the message has to close.
  case descriptor(CInt)
  /// `ay`, the type of every characteristic value.
  case bytes([UInt8])
  /// An array whose elements have the signature `of`, which an empty array does not imply.
  case array(of: String, [DBusValue])
  case entry(DBusValue, DBusValue)
  case structure([DBusValue])
  case variant(DBusValue)
  /// A value that is not read: a file descriptor, which then stays in the message, or an unknown type.
  case unread(type: UInt8)
}

extension DBusValue {
  /// `as`.
  package static func strings(_ list: [String]) -> DBusValue { .array(of: "s", list.map { .string($0) }) }

  /// `a{sv}`, sorted by key, because equal dictionaries must give equal messages.
  package static func properties(_ dictionary: [String: DBusValue]) -> DBusValue {
    .array(
      of: "{sv}",
      dictionary.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// The D-Bus signature of this value; empty for a value that was not read.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    case .unread: ""
    }
  }
}

/// Typed access, through any number of variants. A value of another type gives `nil`.
extension DBusValue {
  /// The value inside any number of variants.
  package var unwrapped: DBusValue { if case .variant(let inner) = self { inner.unwrapped } else { self } }

  package var bool: Bool? { if case .bool(let value) = unwrapped { value } else { nil } }
  package var byte: UInt8? { if case .byte(let value) = unwrapped { value } else { nil } }
  package var int16: Int16? { if case .int16(let value) = unwrapped { value } else { nil } }
  package var uint32: UInt32? { if case .uint32(let value) = unwrapped { value } else { nil } }
  package var string: String? { if case .string(let value) = unwrapped { value } else { nil } }
  package var objectPath: String? { if case .objectPath(let value) = unwrapped { value } else { nil } }
  package var bytes: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }

  /// The text of a string or an object path.
  package var text: String? { string ?? objectPath }

  /// The elements of an array that is not a dictionary.
  package var array: [DBusValue]? {
    guard case .array(let element, let values) = unwrapped, !element.hasPrefix("{") else { return nil }
    return values
  }

  /// The strings of an array; elements of other types are skipped.
  package var strings: [String]? { array?.compactMap(\.string) }

  /// The entries of a dictionary, their values without variants. Keys that are not strings are converted to decimal
  /// text: `0x0057` becomes `87`.
  package var dictionary: [String: DBusValue]? {
    guard case .array(let element, let entries) = unwrapped, element.hasPrefix("{") else { return nil }
    var result = [String: DBusValue](minimumCapacity: entries.count)
    for case .entry(let key, let value) in entries { result[key.keyText] = value.unwrapped }
    return result
  }

  /// The text of a dictionary key, which always has a basic type.
  private var keyText: String {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case .bool(let value): "\(value)"
    case .byte(let value): "\(value)"
    case .int16(let value): "\(value)"
    case .uint16(let value): "\(value)"
    case .int32(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .descriptor, .bytes, .array, .entry, .structure, .variant, .unread: ""
    }
  }
}
