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

  /// The options that name files of certificates, with their paths.
  var certificateFiles: [(option: String, path: String)] {
    [("ca", authorities), ("cert", certificate), ("key", key)].compactMap { option, path in
      path.map { (option, $0) }
    }
  }

  /// Advice to show before the first connection: the password would be sent without encryption to another machine.
  package var warning: String? {
    let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host)
    guard credentials != nil, !usesTLS, !isLocal else { return nil }
    return "the password for \(host) is sent without encryption; use mqtts:// if the broker supports TLS"
  }
}
