import CCrypto
package import Platform

/// SHA-256 (FIPS 180-4) of the content of a file, computed by OpenSSL.
///
///     try FileDigest.hex(ofFile: "rest.txt")  // e3b0c442...
package struct FileDigest: Sendable {
  private var state = SHA256_CTX()

  package init() { unsafe SHA256_Init(&state) }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { unsafe SHA256_Update(&state, bytes, bytes.count) }

  /// The digest of all bytes as 64 hexadecimal digits.
  package consuming func hex() -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    unsafe SHA256_Final(&digest, &state)
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The digest of a content.
  package static func hex(of bytes: [UInt8]) -> String {
    var digest = FileDigest()
    digest.update(bytes)
    return digest.hex()
  }

  /// The digest of a text in UTF-8.
  package static func hex(of text: String) -> String {
    hex(of: Array(text.utf8))
  }

  /// The digest of a regular file. Returns `nil` for standard input and pipes, which can be read only once, and for folders.
  package static func hex(ofFile path: String) throws(FileError) -> String? {
    guard path != "-", !Folder.isFolder(path) else { return nil }
    let source = try ByteSource(path: path)
    guard source.size != nil else { return nil }
    var (digest, offset) = (FileDigest(), 0)
    while true {
      let chunk = try source.read(at: offset, count: 1 << 16)
      if chunk.isEmpty { return digest.hex() }
      digest.update(chunk)
      offset += chunk.count
    }
  }
}
