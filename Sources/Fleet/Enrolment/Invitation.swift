internal import Crypto
internal import JSONLines
internal import Localization
internal import Platform

/// What a receiver needs to publish to a study: the servers, its name, its secret key and the certificate of the authority.
///
/// The lab creates it with `stressmon collect invite`, and the receiver stores it with `stressmon publish enroll`:
///
///     let invitation = try Invitation(to: NatsURL("tls://n1/rest?ca=ca.pem"), receiver: code)
///     let received = try Invitation(code: invitation.code)
package struct Invitation: Equatable, Sendable {
  /// The servers and the study, as a URL without query.
  package let url: String
  package let receiver: FleetCode
  /// The certificates of the authority (PEM). TLS uses those of the system by default.
  package let authorities: String?
  private let seed: String

  private static let prefix = "SM1-"
  /// Bytes of the SHA-256 at the end of a code, which detect an incomplete copy.
  private static let checksumSize = 4

  /// Creates an invitation with a new key.
  /// - Throws: ``FleetError`` with the code `usage` if the certificates cannot be read.
  package init(to server: NatsURL, receiver: FleetCode) throws(FleetError) {
    let hosts = server.servers.map { host in
      let name = host.host.contains(":") ? "[\(host.host)]" : host.host
      return name + (host.port.map { ":\($0)" } ?? "")
    }
    url = "\(server.usesTLS ? "tls" : "nats")://\(hosts.joined(separator: ","))/\(server.study)"
    self.receiver = receiver
    authorities = try server.authorities.map { path throws(FleetError) in
      let bytes = (try? ByteSource(path: path).readAll(limit: 16_384)).flatMap { $0 }
      guard let bytes else {
        throw FleetError(
          .usage, Phrase("cannot read the certificates of the authority \(path), at most 16 KiB"))
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    seed = UserKey().seed
  }

  /// The name of the user of NATS.
  package var user: String { Self.user(receiver, study: study) }

  package var study: FleetCode {
    guard let server = try? NatsURL(url) else { preconditionFailure("the initialisers check the URL") }
    return server.study
  }

  static func user(_ receiver: FleetCode, study: FleetCode) -> String { "\(study).\(receiver)" }

  /// The key that nats-server knows.
  var publicKey: String {
    guard let key = UserKey(seed: seed) else { preconditionFailure("the initialisers check the seed") }
    return key.publicKey
  }

  /// The content of the credentials file of the receiver.
  package var credentials: String {
    "\(ServerCredentials.seedMarker)\n\(seed)\n------END USER NKEY SEED------\n"
  }

  /// The text that contains everything: a prefix, and Base64 of a JSON object and of the start of its SHA-256.
  package var code: String {
    var line = JSONLine()
    line.line {
      $0.put("url", url)
      $0.put("receiver", receiver.text)
      $0.put("seed", seed)
      $0.put("ca", authorities)
    }
    let bytes = Array(line.bytes.dropLast())
    return Self.prefix + Base64.encode(bytes + SHA256.hash(data: bytes).prefix(Self.checksumSize))
  }

  /// Parses a code, with or without line breaks.
  /// - Throws: ``FleetError`` with the code `usage`.
  package init(code text: String) throws(FleetError) {
    let text = text.filter { !$0.isWhitespace }
    guard text.hasPrefix(Self.prefix),
      let bytes = Base64.decode(text.utf8.dropFirst(Self.prefix.utf8.count)),
      bytes.count > Self.checksumSize
    else {
      throw FleetError(
        .usage,
        Phrase(
          """
          this is not the code of an invitation, which begins with \(Self.prefix); create one with: stressmon collect \
          invite NAME --from nats://...
          """))
    }
    let content = Array(bytes.dropLast(Self.checksumSize))
    guard SHA256.hash(data: content).prefix(Self.checksumSize).elementsEqual(bytes.suffix(Self.checksumSize))
    else {
      throw FleetError(.usage, Phrase("the code of the invitation is incomplete or mistyped; copy it again"))
    }
    guard let object = try? JSONObject(content), let url = object["url"].flatMap(object.string),
      (try? NatsURL(url)) != nil,
      let receiver = object["receiver"].flatMap(object.string).flatMap({ FleetCode($0) }),
      let seed = object["seed"].flatMap(object.string), UserKey(seed: seed) != nil
    else {
      throw FleetError(.usage, Phrase("the invitation is of another version; update stressmon"))
    }
    (self.url, self.receiver, self.seed) = (url, receiver, seed)
    authorities = object["ca"].flatMap(object.string)
  }

  /// The target of `stressmon publish`.
  package func target(credentials: String, authorities: String?) -> String {
    "\(url)?receiver=\(receiver)&credentials=\(credentials)" + (authorities.map { "&ca=\($0)" } ?? "")
  }
}
