/// A message of Open Sound Control 1.0 with one argument.
///
///     address, 0-terminated, padded to 4 | ",i", ",f", ",T" or ",F", padded to 4 | big-endian argument, none for T and F
struct OSCMessage: Equatable, Sendable {
  enum Argument: Equatable, Sendable {
    case int(Int32)
    case float(Float)
    case bool(Bool)
  }

  let address: String
  let argument: Argument

  init(_ address: String, _ argument: Argument) { (self.address, self.argument) = (address, argument) }

  /// The datagram.
  var bytes: [UInt8] { Self.padded(address) + Self.padded("," + tag) + data }

  private var tag: String {
    switch argument {
    case .int: "i"
    case .float: "f"
    case .bool(let value): value ? "T" : "F"
    }
  }

  private var data: [UInt8] {
    switch argument {
    case .int(let value): Self.bigEndian(UInt32(bitPattern: value))
    case .float(let value): Self.bigEndian(value.bitPattern)
    case .bool: []
    }
  }

  /// With one to four zero bytes at the end.
  private static func padded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
