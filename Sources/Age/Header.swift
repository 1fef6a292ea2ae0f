import Crypto
import JSONLines

/// The header of a file, as it was read or written.
struct Header {
  /// The largest size that is read or written, in bytes: room for some 600 recipients.
  static let byteLimit = 64 * 1024

  let stanzas: [Stanza]
  let mac: [UInt8]
  /// The lines up to and including `---`, which the MAC covers.
  let authenticated: ArraySlice<UInt8>

  /// - Throws: ``AgeError/headerTooLong(limit:)``.
  static func encode(_ stanzas: [Stanza], fileKey: SymmetricKey) throws(AgeError) -> [UInt8] {
    let bytes = Array("age-encryption.org/v1\n".utf8) + stanzas.flatMap(\.encoded) + Array("---".utf8)
    let mac = Base64.encode(FileKey.headerMAC(fileKey, of: bytes[...]), padding: false)
    let header = bytes + Array(" \(mac)\n".utf8)
    guard header.count <= byteLimit else { throw .headerTooLong(limit: byteLimit) }
    return header
  }
}

/// Collects the header from pieces of any size.
struct HeaderReader {
  private var parser = HeaderParser()
  private var bytes: [UInt8] = []
  private var lineStart = 0

  /// Moves bytes from the start of `input` up to the end of the header.
  /// - Returns: the header, once `input` contains all of it.
  /// - Throws: the errors of the header.
  mutating func read(_ input: inout ArraySlice<UInt8>) throws(AgeError) -> Header? {
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      try append(input[...end])
      input = input[(end + 1)...]
      try parser.parse(bytes[lineStart..<(bytes.count - 1)])
      if let mac = parser.mac {
        // The last line is `---`, a space and the MAC.
        return Header(stanzas: parser.stanzas, mac: mac, authenticated: bytes[..<(lineStart + 3)])
      }
      lineStart = bytes.count
    }
    try append(input)
    input = []
    return nil
  }

  /// The error for input that ends here.
  var truncation: AgeError { parser.line == 0 ? .notAge : .truncatedHeader }

  private mutating func append(_ piece: ArraySlice<UInt8>) throws(AgeError) {
    guard bytes.count + piece.count <= Header.byteLimit else {
      throw parser.line == 0 ? .notAge : .headerTooLong(limit: Header.byteLimit)
    }
    bytes += piece
  }
}
