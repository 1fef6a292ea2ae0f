package import Localization
package import Platform

/// A study on a cluster of NATS servers:
/// `nats://HOST[:PORT][,HOST[:PORT]...]/STUDY[?credentials=FILE&ca=FILE&cert=FILE&key=FILE]`.
package struct NatsURL: Equatable, Sendable {
  package static let defaultPort = 4222

  package var servers: [TargetURL.Server]
  package var study: FleetCode
  /// Whether the connection is encrypted: for `tls://`, and with a certificate.
  package var usesTLS: Bool
  /// A credentials file of NATS, or a file with the user name in the first line and the password in the second one.
  package var credentials: String?
  /// The PEM file with the certificate authorities to trust. The default is those of the system.
  package var authorities: String?
  /// Certificate and key of this client.
  package var certificate: String?
  package var key: String?
  /// The values of further keys.
  package var options: [String: String] = [:]

  /// - Parameters:
  ///   - keys: Further keys that are allowed after the question mark.
  ///   - environment: Contains the home directory, which replaces `~/` in paths.
  /// - Throws: ``FleetError`` with the code `usage`, with what to correct.
  package init(
    _ text: String, allowing keys: [String] = [], _ environment: ProcessEnvironment = .current
  ) throws(FleetError) {
    guard !Self.isURL(text) || !TargetURL.containsUser(text) else {
      throw FleetError(
        .usage,
        Phrase(
          """
          the URL of NATS contains a user name or a password, which other users of this machine can read in the list of \
          processes. Write both to a file, one per line (chmod 600), and add ?credentials=FILE
          """))
    }
    guard let url = TargetURL(text), let scheme = TargetScheme(rawValue: url.scheme),
      Self.schemes.contains(scheme)
    else {
      throw Self.invalid(
        text, Phrase("the form is nats://HOST[:PORT][,HOST...]/STUDY, with ports of 1 to 65535"))
    }
    guard !url.servers.isEmpty, url.servers.allSatisfy({ Self.isHost($0.host) }) else {
      throw Self.invalid(text, Phrase("a host is missing"))
    }
    guard let study = FleetCode(url.path) else {
      throw Self.invalid(
        text, Phrase("the study after the host must be 1 to 64 of the characters A-Z a-z 0-9 _ -"))
    }
    (servers, self.study, usesTLS) = (url.servers, study, scheme == .tls)
    for (key, value) in url.query { try set(key, value, in: text, keys, environment) }
    guard (certificate == nil) == (key == nil) else {
      throw Self.invalid(text, Phrase("cert= and key= require each other"))
    }
    usesTLS = usesTLS || authorities != nil || certificate != nil
  }

  private static let schemes: Set<TargetScheme> = [.nats, .tls]

  /// Whether `text` has a scheme of NATS.
  package static func isURL(_ text: String) -> Bool {
    schemes.contains { text.lowercased().hasPrefix("\($0.rawValue)://") }
  }

  private mutating func set(
    _ key: String, _ value: String, in text: String, _ others: [String], _ environment: ProcessEnvironment
  ) throws(FleetError) {
    guard !value.isEmpty else { throw Self.invalid(text, Phrase("\(key)= has no value")) }
    switch key {
    case "credentials": credentials = environment.expandingTilde(value)
    case "ca": authorities = environment.expandingTilde(value)
    case "cert": certificate = environment.expandingTilde(value)
    case "key": self.key = environment.expandingTilde(value)
    case _ where others.contains(key): options[key] = value
    default:
      let known = (["credentials", "ca", "cert", "key"] + others).joined(separator: ", ")
      throw Self.invalid(text, Phrase("'\(key)' is not valid; the options are: \(known)"))
    }
  }

  /// Excludes user names and passwords, which other users could read in the list of processes.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
  }

  private static func invalid(_ text: String, _ reason: Phrase) -> FleetError {
    FleetError(
      .usage,
      Phrase(
        """
        '\(TargetURL.withoutUser(text))' is not valid: \(reason). Example: \
        nats://192.168.1.5/sleep?credentials=nats.creds
        """)
    )
  }
}

extension NatsURL {
  /// The stream of the study.
  package var stream: String { "fleet-\(study)" }

  /// The stream of earlier versions, whose messages do not identify their receiver. It is not read.
  package var earlierStream: String { "lab-\(study)" }

  /// The URL of each server.
  var urls: [String] {
    servers.map { server in
      let host = server.host.contains(":") ? "[\(server.host)]" : server.host
      return "\(usesTLS ? "tls" : "nats")://\(host):\(server.port ?? Self.defaultPort)"
    }
  }

  /// The servers in messages for the user.
  package var description: String {
    servers.map { "\($0.host):\($0.port ?? Self.defaultPort)" }.joined(separator: ", ")
  }

  /// Advice to show before the first connection: the data would be sent without encryption to another machine.
  package var warning: Phrase? {
    let isLocal = servers.allSatisfy { ["localhost", "127.0.0.1", "::1"].contains($0.host) }
    guard !usesTLS, !isLocal else { return nil }
    return Phrase(
      """
      data for \(description) are sent without encryption; use tls:// or ca=FILE if the servers support TLS
      """)
  }
}
