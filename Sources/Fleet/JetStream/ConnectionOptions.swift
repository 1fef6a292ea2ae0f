internal import CNats
internal import Glibc

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
    try Fleet.check(unsafe natsOptions_Create(&created), "create options")
    guard let created = unsafe created else { preconditionFailure("libnats returned no options") }
    unsafe pointer = created
    try check(unsafe natsOptions_SetName(pointer, "stressmon \(name)"), "set the name \(name)")
    try check(
      unsafe natsOptions_SetCustomInboxPrefix(pointer, role.inboxPrefix(server.study)),
      "set the prefix of the answers")
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
      unsafe natsOptions_SetServers(pointer, &pointers, CInt(urls.count)), "use \(server.description)")
    // The addresses inside the cluster are not necessarily those that this network reaches.
    try check(unsafe natsOptions_SetIgnoreDiscoveredServers(pointer, true), "use \(server.description)")
  }

  private func setReconnection() throws(FleetError) {
    try check(unsafe natsOptions_SetTimeout(pointer, Limit.connect), "set the timeout")
    try check(unsafe natsOptions_SetPingInterval(pointer, Limit.ping), "set the ping interval")
    try check(unsafe natsOptions_SetMaxPingsOut(pointer, Limit.missingPings), "set the number of pings")
    try check(unsafe natsOptions_SetWriteDeadline(pointer, Limit.write), "set the write deadline")
    try check(unsafe natsOptions_SetMaxReconnect(pointer, .max), "reconnect without limit")
    try check(unsafe natsOptions_SetReconnectWait(pointer, Limit.reconnect), "set the back-off")
    try check(
      unsafe natsOptions_SetReconnectJitter(pointer, Limit.jitter, Limit.jitter), "set the back-off")
    try check(unsafe natsOptions_SetReconnectBufSize(pointer, Limit.reconnectBuffer), "set the buffer")
    try check(unsafe natsOptions_SetFailRequestsOnDisconnect(pointer, true), "fail early")
  }

  private func setTLS(_ server: NatsURL) throws(FleetError) {
    try check(unsafe natsOptions_SetSecure(pointer, true), "use TLS")
    if let path = server.authorities {
      try check(file: path, unsafe natsOptions_LoadCATrustedCertificates(pointer, path))
    }
    if let path = server.certificate, let key = server.key {
      try check(file: "\(path) and \(key)", unsafe natsOptions_LoadCertificatesChain(pointer, path, key))
    }
  }

  private func check(file: String, _ status: natsStatus) throws(FleetError) {
    guard status != NATS_OK else { return }
    throw FleetError(
      .usage, "cannot use the certificates of \(file); check that the files exist in PEM format")
  }

  private func check(_ status: natsStatus, _ attempt: String) throws(FleetError) {
    try Fleet.check(status, attempt)
  }

  private func setCredentials(_ credentials: ServerCredentials) throws(FleetError) {
    switch credentials {
    case .file(let path):
      try check(unsafe natsOptions_SetUserCredentialsFromFiles(pointer, path, nil), "use \(path)")
    case .key(let publicKey, let path):
      try check(unsafe natsOptions_SetNKeyFromSeed(pointer, publicKey, path), "use the key \(path)")
    case .password(let user, let password):
      try check(unsafe natsOptions_SetUserInfo(pointer, user, password), "use the password of \(user)")
    }
  }
}
