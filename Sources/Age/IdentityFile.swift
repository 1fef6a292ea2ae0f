/// A file of identities as `age-keygen` writes it: one identity per line; empty lines and lines that start with `#`
/// are ignored.
package enum IdentityFile {
  /// Larger files are rejected.
  package static let byteLimit = 64 * 1024

  /// The content of a file of mode 0600 with `identity`. A comment states the recipient.
  package static func encode(_ identity: X25519Identity) -> String {
    "# public key: \(identity.recipient)\n\(identity.secretText)\n"
  }

  /// - Throws: ``AgeError/malformedKey(reason:)`` with the line number, without the line.
  package static func decode(_ bytes: [UInt8]) throws(AgeError) -> [X25519Identity] {
    guard bytes.count <= byteLimit else {
      throw .malformedKey(reason: "the identity file exceeds \(byteLimit) bytes")
    }
    var identities: [X25519Identity] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let text = content(of: line) else { continue }
      do {
        identities.append(try X25519Identity(text))
      } catch {
        throw .malformedKey(reason: "line \(index + 1) of the identity file: \(error.keyReason)")
      }
    }
    guard !identities.isEmpty else { throw .malformedKey(reason: "the identity file contains no identity") }
    return identities
  }

  /// The text of a line without surrounding whitespace. Empty lines and comments have none.
  private static func content(of line: ArraySlice<UInt8>) -> String? {
    let start = line.drop(while: Armor.isWhitespace)
    guard let first = start.first, first != UInt8(ascii: "#") else { return nil }
    let end = start.lastIndex { !Armor.isWhitespace($0) } ?? start.startIndex
    return String(decoding: start[...end], as: UTF8.self)
  }
}

extension AgeError {
  fileprivate var keyReason: String {
    if case .malformedKey(let reason) = self { reason } else { description }
  }
}
