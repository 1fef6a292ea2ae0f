import JSONLines

/// A part of the header that wraps the file key for one recipient.
struct Stanza: Equatable, Sendable {
  /// The first argument.
  var type: String
  /// The arguments after the type.
  var arguments: [String]
  var body: [UInt8]

  private static let columns = 64

  /// The lines of the stanza, each with its line feed.
  var encoded: [UInt8] {
    var text = (["->", type] + arguments).joined(separator: " ") + "\n"
    var rest = Base64.encode(body, padding: false)[...]
    // The last line is shorter than the others, and empty if there is no rest.
    while rest.utf8.count >= Self.columns {
      text += rest.prefix(Self.columns) + "\n"
      rest = rest.dropFirst(Self.columns)
    }
    return Array((text + rest + "\n").utf8)
  }

  /// Decodes an argument, after checking that the stanza has `count` arguments after the type.
  /// - Throws: ``AgeError/malformedStanza(type:reason:)``.
  func decodedArgument(_ index: Int, of count: Int, byteCount: Int) throws(AgeError) -> [UInt8] {
    guard arguments.count == count else {
      throw .malformedStanza(type: type, reason: "\(arguments.count) arguments instead of \(count)")
    }
    guard let bytes = Base64.decode(arguments[index].utf8, padding: false), bytes.count == byteCount else {
      throw .malformedStanza(type: type, reason: "argument \(index + 1) is not base64 of \(byteCount) bytes")
    }
    return bytes
  }

  /// Checks the size before decryption, because one body must not be valid for several keys (partitioning oracle).
  /// - Throws: ``AgeError/malformedStanza(type:reason:)``.
  func requireFileKeyBody() throws(AgeError) {
    guard body.count == FileKey.sealedByteCount else {
      throw .malformedStanza(
        type: type, reason: "the body has \(body.count) bytes, not \(FileKey.sealedByteCount)")
    }
  }
}
