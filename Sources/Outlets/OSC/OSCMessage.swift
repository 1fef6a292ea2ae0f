/// A message of Open Sound Control 1.0.
///
///     address, 0-terminated, padded to 4 | ",", "i", "f", "s", "T" or "F" per argument, padded to 4 | arguments
///
/// Numbers are big-endian, texts are padded as the address, and T and F have no data.
struct OSCMessage: Equatable, Sendable {
  enum Argument: Equatable, Sendable {
    case int(Int32)
    case float(Float)
    case bool(Bool)
    case string(String)
  }

  let address: String
  let arguments: [Argument]

  init(_ address: String, _ arguments: Argument...) { (self.address, self.arguments) = (address, arguments) }

  /// The datagram.
  var bytes: [UInt8] {
    Self.padded(address) + Self.padded("," + arguments.map(\.tag).joined()) + arguments.flatMap(\.data)
  }

  /// With one to four zero bytes at the end.
  fileprivate static func padded(_ text: String) -> [UInt8] {
    let bytes = text.utf8.filter { $0 != 0 }
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }
}

extension OSCMessage.Argument {
  fileprivate var tag: String {
    switch self {
    case .int: "i"
    case .float: "f"
    case .bool(let value): value ? "T" : "F"
    case .string: "s"
    }
  }

  fileprivate var data: [UInt8] {
    switch self {
    case .int(let value): Self.bigEndian(UInt32(bitPattern: value))
    case .float(let value): Self.bigEndian(value.bitPattern)
    case .bool: []
    case .string(let text): OSCMessage.padded(text)
    }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
