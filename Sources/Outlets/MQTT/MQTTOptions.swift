import Glibc
import Platform

/// Where and how to connect to a broker.
package struct MQTTOptions: Equatable, Sendable {
  package var host: String
  package var port: Int
  package var usesTLS: Bool
  /// A file with the user name in the first line and the password in the second one.
  package var credentials: String?
  /// Certificates of the authorities to trust; those of the system by default.
  package var authorities: String?
  /// Certificate and key of this client.
  package var certificate: String?
  package var key: String?

  /// What the user should know before the first connection; nil if there is nothing.
  package var warning: String? {
    let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host)
    guard credentials != nil, !usesTLS, !isLocal else { return nil }
    return "the password for \(host) is sent without encryption; use mqtts:// if the broker supports TLS"
  }
}

struct MQTTCredentials: Equatable, Sendable {
  let user: String
  let password: String

  /// Reads the file, which only its owner may access.
  init(path: String) throws(OutletError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw OutletError("cannot read the credentials \(path): \(unsafe String(cString: strerror(errno)))")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw OutletError(
        "the credentials \(path) are readable by other users; correct this with: chmod 600 \(path)")
    }
    let lines = (try? ByteSource(path: path).readAll(limit: 4096))
      .flatMap { $0 }?.split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
    guard let lines, lines.count == 2 else {
      throw OutletError("the credentials \(path) need two lines: the user name and the password")
    }
    (user, password) = (lines[0], lines[1])
  }
}
