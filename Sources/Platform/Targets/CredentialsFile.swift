internal import Glibc

/// The user name and the password of a file, one line each, which only its owner may access.
package struct CredentialsFile: Equatable, Sendable {
  package let user: String
  package let password: String

  /// - Throws: ``Invalid``, with what to correct.
  package init(path: String) throws(Invalid) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw Invalid("cannot read the credentials \(path): \(unsafe String(cString: strerror(errno)))")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Invalid(
        "the credentials \(path) are readable by other users; correct this with: chmod 600 \(path)")
    }
    let lines = (try? ByteSource(path: path).readAll(limit: 4096))
      .flatMap { $0 }?.split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
    guard let lines, lines.count == 2 else {
      throw Invalid("the credentials \(path) need two lines: the user name and the password")
    }
    (user, password) = (lines[0], lines[1])
  }

  /// The reason why the file is not used.
  package struct Invalid: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }
}
