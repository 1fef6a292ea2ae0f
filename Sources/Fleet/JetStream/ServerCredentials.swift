internal import Glibc
internal import Localization
internal import Platform

/// How the program identifies itself to a server.
enum ServerCredentials: Equatable {
  /// A credentials file of NATS with a JWT and a seed.
  case file(String)
  /// A file with the seed of a key (``UserKey``), as `stressmon publish enroll` stores it.
  case key(publicKey: String, path: String)
  case password(user: String, String)

  private static let tokenMarker = "-----BEGIN NATS USER JWT-----"
  static let seedMarker = "-----BEGIN USER NKEY SEED-----"

  /// - Throws: ``FleetError`` for a file that other users can read, and for other content.
  init(path: String) throws(FleetError) {
    let bytes = (try? ByteSource(path: path).readAll(limit: 65_536)).flatMap { $0 } ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let marker = lines.first, [Self.tokenMarker, Self.seedMarker].contains(String(marker)) else {
      do throws(CredentialsFile.Invalid) {
        let file = try CredentialsFile(path: path)
        self = .password(user: file.user, file.password)
      } catch { throw FleetError(.usage, error.message) }
      return
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw FleetError(
        .usage,
        Phrase(
          """
          the credentials \(path) are readable by other users; correct this with: chmod 600 \(path)
          """))
    }
    guard marker == Self.seedMarker else {
      self = .file(path)
      return
    }
    guard lines.count > 1, let key = UserKey(seed: String(lines[1])) else {
      throw FleetError(
        .usage,
        Phrase(
          """
          the credentials \(path) contain no valid key; enroll this receiver again: stressmon publish enroll
          """))
    }
    self = .key(publicKey: key.publicKey, path: path)
  }
}

extension NatsURL {
  /// Reads the credentials and looks for the certificates. Errors are therefore reported before the first connection.
  package func checkFiles() throws(FleetError) {
    if let credentials { _ = try ServerCredentials(path: credentials) }
    for path in [authorities, certificate, key].compactMap(\.self) where unsafe access(path, R_OK) != 0 {
      throw FleetError(.usage, Phrase("cannot read \(path): \(unsafe String(cString: strerror(errno)))"))
    }
  }
}
