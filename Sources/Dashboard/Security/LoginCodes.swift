import Glibc
package import Platform

/// The login codes in URLs. Each admits one browser, once, within a day.
///
/// A code is an empty file of the runtime folder, whose name is the digest of the code. `serve` and `serve url` create it, and
/// removing it redeems the code: the kernel removes a file once.
package struct LoginCodes: Sendable {
  /// In s.
  static let lifetime = 86_400
  private let folder: String

  /// - Throws: `FileError` if the folder cannot be created, or is accessible to another user.
  package init(_ environment: ProcessEnvironment) throws(FileError) {
    folder = try environment.privateFolder("serve", "codes")
  }

  /// A new code.
  package func add() throws(FileError) -> AccessToken {
    for name in Folder.names(in: folder) where !isCurrent("\(folder)/\(name)") {
      unsafe unlink("\(folder)/\(name)")
    }
    let code = AccessToken()
    let file = unsafe open(path(code.text), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError(errno: errno, path: folder) }
    close(file)
    return code
  }

  /// Whether the code can be redeemed.
  package func contains(_ code: String) -> Bool { isCurrent(path(code)) }

  /// Removes the code. Returns false if it was redeemed before, has expired or never existed.
  package func redeem(_ code: String) -> Bool {
    let path = path(code)
    return unsafe isCurrent(path) && unlink(path) == 0
  }

  private func path(_ code: String) -> String { "\(folder)/\(TokenDigest(of: code).hex)" }

  private func isCurrent(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return (0...Self.lifetime).contains(time(nil) - status.st_mtim.tv_sec)
  }
}
