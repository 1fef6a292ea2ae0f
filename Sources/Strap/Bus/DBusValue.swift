/// One argument of a message, for the paths where comfort counts more than speed.
///
/// Variants are unwrapped: what matters is the value in them.
enum DBusValue: Equatable, Sendable {
  case bool(Bool)
  case byte(UInt8)
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
  /// An array of bytes.
  case bytes([UInt8])
  case array([DBusValue])
  /// Keys that are not strings are given in words: `0x0057` has the key `87`.
  case dictionary([String: DBusValue])
  case structure([DBusValue])
  /// A value of a type that is not read: a file descriptor, say, which is left in the message.
  case unread(type: UInt8)
}

extension DBusValue {
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var byte: UInt8? { if case .byte(let value) = self { value } else { nil } }
  var int16: Int16? { if case .int16(let value) = self { value } else { nil } }
  var uint16: UInt16? { if case .uint16(let value) = self { value } else { nil } }
  var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var objectPath: String? { if case .objectPath(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var array: [DBusValue]? { if case .array(let value) = self { value } else { nil } }
  var dictionary: [String: DBusValue]? { if case .dictionary(let value) = self { value } else { nil } }

  /// An array of strings; elements that are none are left out.
  var strings: [String]? { array?.compactMap(\.string) }
}

/// What a method is called on, and with what.
struct MethodCall: Sendable {
  var destination: String
  var path: String
  var interface: String
  var member: String
  var arguments: [Argument] = []
  /// Whether the bus may start the service for this call.
  var startsService = false

  /// An argument as the method's signature wants it.
  enum Argument: Sendable {
    case bool(Bool)
    case uint32(UInt32)
    case string(String)
    case objectPath(String)
    /// A dictionary of variants, `a{sv}`.
    case options([String: Option])
  }

  /// A value in a dictionary of variants.
  enum Option: Sendable {
    case bool(Bool)
    case string(String)
    case strings([String])
  }
}

/// A signal or a method call from another, read whole.
struct IncomingMessage: Sendable {
  var sender: String
  var path: String
  var interface: String
  var member: String
  var arguments: [DBusValue]
}
