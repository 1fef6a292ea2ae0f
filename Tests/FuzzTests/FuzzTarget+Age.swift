@testable import Age

extension FuzzTarget {
  /// The identity of the vectors in Tests/AgeTests/Fixtures.
  private static let identity = try? X25519Identity(
    "AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6")

  static func age(_ bytes: [UInt8]) -> String? {
    let whole = decrypted(bytes, piece: bytes.count)
    if whole != decrypted(bytes, piece: 5) { return "the result depends on the size of the pieces" }
    return headerDefect(bytes) ?? armorDefect(bytes) ?? keyDefect(String(decoding: bytes, as: UTF8.self))
  }

  /// The plaintext before an error, and the error.
  private struct Decrypted: Equatable {
    var plaintext: [UInt8] = []
    var error: AgeError?
  }

  private static func decrypted(_ bytes: [UInt8], piece: Int) -> Decrypted {
    var result = Decrypted()
    guard let identity, let passphrase = try? Passphrase("password") else { return result }
    let isPassphrase = bytes.contains(UInt8(ascii: "s")) && bytes.count % 2 == 0
    // A low limit keeps scrypt fast.
    var decryptor = AgeDecryptor(
      with: isPassphrase ? .passphrase(passphrase, workFactorLimit: 4) : .keys([identity]))
    do throws(AgeError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        try decryptor.update(rest.prefix(piece)) { result.plaintext += $0 }
        rest = rest.dropFirst(piece)
      }
      result.plaintext += try decryptor.finish()
    } catch {
      result.error = error
    }
    return result
  }

  /// A header has one form only: what was read is what is written.
  private static func headerDefect(_ bytes: [UInt8]) -> String? {
    var reader = HeaderReader()
    var rest = bytes[...]
    guard let header = try? reader.read(&rest) else { return nil }
    let written =
      Array("age-encryption.org/v1\n".utf8) + header.stanzas.flatMap(\.encoded) + Array("---".utf8)
    return header.authenticated.elementsEqual(written) ? nil : "a header is not in its canonical form"
  }

  /// Without whitespace around it and carriage returns, the armor also has one form only.
  private static func armorDefect(_ bytes: [UInt8]) -> String? {
    var (decoder, encoder) = (ArmorDecoder(), ArmorEncoder())
    guard let start = try? decoder.update(bytes[...]), let end = try? decoder.finish() else { return nil }
    let written = encoder.update(start[...]) + encoder.update(end[...]) + encoder.finish()
    let isEqual = bytes.filter { !Armor.isWhitespace($0) } == written.filter { !Armor.isWhitespace($0) }
    return isEqual ? nil : "an armor is not in its canonical form"
  }

  private static func keyDefect(_ text: String) -> String? {
    if let key = try? Bech32.decode(text), Bech32.encode(prefix: key.prefix, key.bytes) != text.lowercased() {
      return "a key has two forms"
    }
    _ = try? IdentityFile.decode(Array(text.utf8))
    return nil
  }
}
