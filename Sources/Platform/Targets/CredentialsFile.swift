internal import Glibc
package import Localization

/// The user name and the password of a file, one line each, which only its owner may access.
package struct CredentialsFile: Equatable, Sendable {
  package let user: String
  package let password: String

  /// - Throws: ``Invalid``, with what to correct.
  package init(path: String) throws(Invalid) {
    let lines = try Self.lines(of: path)
    guard lines.count == 2 else {
      throw Invalid(Phrase("the credentials \(path) need two lines: the user name and the password"))
    }
    (user, password) = (lines[0], lines[1])
  }

  /// The only line of a file, such as a key.
  package static func secret(path: String) throws(Invalid) -> String {
    let lines = try lines(of: path)
    guard lines.count == 1 else { throw Invalid(Phrase("the secret \(path) needs one line")) }
    return lines[0]
  }

  private static func lines(of path: String) throws(Invalid) -> [String] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw Invalid(Phrase("cannot read the credentials \(path): \(unsafe String(cString: strerror(errno)))"))
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Invalid(
        Phrase(
          """
          the credentials \(path) are readable by other users; correct this with: chmod 600 \(path)
          """))
    }
    return (try? ByteSource(path: path).readAll(limit: 4096))
      .flatMap { $0 }?.split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) } ?? []
  }

  /// The reason why the file is not used.
  package struct Invalid: Error, Equatable, Translatable {
    package let message: Phrase

    /// The message in English.
    package var description: String { Language.english.text(message) }

    init(_ message: Phrase) { self.message = message }
  }
}
