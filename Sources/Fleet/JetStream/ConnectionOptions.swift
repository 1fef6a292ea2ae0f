internal import CNats
internal import Glibc
internal import Localization

/// Options of a connection of libnats.
@safe final class ConnectionOptions {
  /// All times in ms. A connection without an answer ends after two missing pings.
  private enum Limit {
    static let connect: Int64 = 3_000
    static let ping: Int64 = 5_000
    static let missingPings: CInt = 2
    static let write: Int64 = 5_000
    static let reconnect: Int64 = 1_000
    static let jitter: Int64 = 500
    /// In bytes. A message larger than this is not accepted while the connection is interrupted.
    static let reconnectBuffer: CInt = 1_048_576
  }

  let pointer: OpaquePointer

  init(_ server: NatsURL, role: JetStream.Role, name: String) throws(FleetError) {
    var created: OpaquePointer?
    try Fleet.check(unsafe natsOptions_Create(&created), Self.attempt)
    guard let created = unsafe created else { preconditionFailure("libnats returned no options") }
    unsafe pointer = created
    try check(unsafe natsOptions_SetName(pointer, "stressmon \(name)"))
    try check(
      unsafe natsOptions_SetCustomInboxPrefix(pointer, role.inboxPrefix(server.study)))
    try setServers(server)
    try setReconnection()
    if server.usesTLS { try setTLS(server) }
    if let path = server.credentials { try setCredentials(ServerCredentials(path: path)) }
  }

  deinit { unsafe natsOptions_Destroy(pointer) }

  private func setServers(_ server: NatsURL) throws(FleetError) {
    let urls = unsafe server.urls.map { unsafe strdup($0) }
    defer { for index in unsafe urls.indices { unsafe free(urls[index]) } }
    var pointers = unsafe urls.map { unsafe UnsafePointer<CChar>($0) }
    try check(
      unsafe natsOptions_SetServers(pointer, &pointers, CInt(urls.count)),
      Phrase("cannot use \(server.description)"))
    // The addresses inside the cluster are not necessarily those that this network reaches.
    try check(
      unsafe natsOptions_SetIgnoreDiscoveredServers(pointer, true), Phrase("cannot use \(server.description)")
    )
  }

  private func setReconnection() throws(FleetError) {
    try check(unsafe natsOptions_SetTimeout(pointer, Limit.connect))
    try check(unsafe natsOptions_SetPingInterval(pointer, Limit.ping))
    try check(unsafe natsOptions_SetMaxPingsOut(pointer, Limit.missingPings))
    try check(unsafe natsOptions_SetWriteDeadline(pointer, Limit.write))
    try check(unsafe natsOptions_SetMaxReconnect(pointer, .max))
    try check(unsafe natsOptions_SetReconnectWait(pointer, Limit.reconnect))
    try check(
      unsafe natsOptions_SetReconnectJitter(pointer, Limit.jitter, Limit.jitter))
    try check(unsafe natsOptions_SetReconnectBufSize(pointer, Limit.reconnectBuffer))
    try check(unsafe natsOptions_SetFailRequestsOnDisconnect(pointer, true))
  }

  private func setTLS(_ server: NatsURL) throws(FleetError) {
    try check(unsafe natsOptions_SetSecure(pointer, true), Phrase("cannot use TLS"))
    if let path = server.authorities {
      try check(file: Phrase(untranslated: path), unsafe natsOptions_LoadCATrustedCertificates(pointer, path))
    }
    if let path = server.certificate, let key = server.key {
      try check(
        file: Phrase("\(path) and \(key)"), unsafe natsOptions_LoadCertificatesChain(pointer, path, key))
    }
  }

  private func check(file: Phrase, _ status: natsStatus) throws(FleetError) {
    guard status != NATS_OK else { return }
    throw FleetError(
      .usage, Phrase("cannot use the certificates of \(file); check that the files exist in PEM format"))
  }

  private static var attempt: Phrase { Phrase("cannot set the options of the connection to NATS") }

  private func check(_ status: natsStatus, _ attempt: Phrase = ConnectionOptions.attempt) throws(FleetError) {
    try Fleet.check(status, attempt)
  }

  private func setCredentials(_ credentials: ServerCredentials) throws(FleetError) {
    switch credentials {
    case .file(let path):
      try check(
        unsafe natsOptions_SetUserCredentialsFromFiles(pointer, path, nil), Phrase("cannot use \(path)"))
    case .key(let publicKey, let path):
      try check(
        unsafe natsOptions_SetNKeyFromSeed(pointer, publicKey, path), Phrase("cannot use the key \(path)"))
    case .password(let user, let password):
      try check(
        unsafe natsOptions_SetUserInfo(pointer, user, password), Phrase("cannot use the password of \(user)"))
    }
  }
}
