/// A D-Bus value with its type, so that a fake can also send the wrong one.
public indirect enum DBusValue: Sendable, Equatable {
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
  case path(String)
  case signature(String)
  case descriptor(CInt)
  /// `ay`, the type of every characteristic value.
  case bytes([UInt8])
  /// An array whose elements have the signature `of` (it cannot be read from an empty one).
  case array(of: String, [DBusValue])
  case entry(DBusValue, DBusValue)
  case structure([DBusValue])
  case variant(DBusValue)
}

extension DBusValue {
  /// `as`.
  public static func strings(_ list: [String]) -> DBusValue { .array(of: "s", list.map { .string($0) }) }

  /// `a{sv}`, in the order of the keys so that equal dictionaries are equal messages.
  public static func properties(_ dictionary: [String: DBusValue]) -> DBusValue {
    .array(
      of: "{sv}",
      dictionary.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// The D-Bus signature of this value.
  public var signature: String {
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
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }

  /// The value inside any number of variants.
  public var unwrapped: DBusValue {
    if case .variant(let inner) = self { inner.unwrapped } else { self }
  }

  /// The text of a string or an object path.
  public var text: String? {
    switch unwrapped {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  public var flag: Bool? {
    if case .bool(let flag) = unwrapped { flag } else { nil }
  }

  public var number: UInt32? {
    if case .uint32(let number) = unwrapped { number } else { nil }
  }

  public var octets: [UInt8]? {
    if case .bytes(let octets) = unwrapped { octets } else { nil }
  }

  public var elements: [DBusValue] {
    if case .array(_, let elements) = unwrapped { elements } else { [] }
  }

  /// The entries of a dictionary whose keys are strings or object paths; empty for anything else.
  public var dictionary: [String: DBusValue] {
    var found: [String: DBusValue] = [:]
    for case .entry(let key, let value) in elements {
      if let name = key.text { found[name] = value.unwrapped }
    }
    return found
  }
}
