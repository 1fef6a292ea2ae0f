import CDBus

extension MessageReader {
  /// All values from here to the end of the container.
  mutating func values() -> [DBusValue] {
    var values: [DBusValue] = []
    while type != 0 {
      values.append(value())
      skip()
    }
    return values
  }

  /// The value at hand.
  mutating func value() -> DBusValue {
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
    case UInt8(ascii: "v"): variant()
    case UInt8(ascii: "a"): array()
    case UInt8(ascii: "r"): structure()
    case let other: .unread(type: other)
    }
  }

  private mutating func variant() -> DBusValue {
    var content = inside()
    return content.value()
  }

  private mutating func structure() -> DBusValue {
    var fields = inside()
    return .structure(fields.values())
  }

  private mutating func array() -> DBusValue {
    if let bytes = bytes() { return .bytes(bytes) }
    let isDictionary = elementType == UInt8(ascii: "e")
    var elements = inside()
    return isDictionary ? elements.dictionary() : .array(elements.values())
  }

  private mutating func dictionary() -> DBusValue {
    var result: [String: DBusValue] = [:]
    while type != 0 {
      var entry = inside()
      let key = entry.value().key
      entry.skip()
      result[key] = entry.value()
      skip()
    }
    return .dictionary(result)
  }
}

extension DBusValue {
  /// The value as the key of a dictionary, which is always of a basic type.
  fileprivate var key: String {
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
    case .bytes, .array, .dictionary, .structure, .unread: ""
    }
  }
}
