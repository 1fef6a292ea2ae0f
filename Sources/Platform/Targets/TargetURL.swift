/// The schemes of the targets of `publish`.
package enum TargetScheme: String, CaseIterable, Sendable {
  case osc, mqtt, mqtts, lsl, file, http, exec, nats, tls
}

/// The parts of a target such as `mqtt://host:1883/id?credentials=FILE` or `nats://a,b:4223/study`.
package struct TargetURL: Equatable, Sendable {
  /// A host with its port. Without a port, the default port of the scheme applies.
  package struct Server: Equatable, Sendable {
    package var host: String
    package var port: Int?
  }

  /// In lower case.
  package var scheme: String
  /// The servers before the path, separated by commas; empty without `//` and for an empty host.
  package var servers: [Server] = []
  /// Without the slash after the host.
  package var path = ""
  package var query: [(key: String, value: String)] = []

  /// The first server; empty without one.
  package var host: String { servers.first?.host ?? "" }
  /// The port of the first server.
  package var port: Int? { servers.first?.port }

  package static func == (left: TargetURL, right: TargetURL) -> Bool {
    left.scheme == right.scheme && left.servers == right.servers && left.path == right.path
      && left.query.elementsEqual(right.query, by: ==)
  }

  /// Fails if the scheme is missing or the port is invalid.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    scheme = text[..<colon].lowercased()
    guard !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    var rest = text[text.index(after: colon)...]
    if let mark = rest.lastIndex(of: "?") {
      query = Self.query(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    guard rest.hasPrefix("//") else {
      path = String(rest)
      return
    }
    let parts = rest.dropFirst(2).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.count > 1 ? String(parts[1]) : ""
    guard !parts[0].isEmpty else { return }
    for part in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard let server = Server(part) else { return nil }
      servers.append(server)
    }
  }

  private static func query(_ text: Substring) -> [(key: String, value: String)] {
    text.split(separator: "&").map { member in
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

extension TargetURL {
  /// A value with `%` and two hexadecimal digits decoded, such as `%20` for a space; other uses of `%` are kept.
  package static func percentDecoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let code =
        byte == UInt8(ascii: "%") ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
      guard let code, rest.count >= 2 else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a URL contains a user name or a password before its host, as in `mqtt://USER:PASSWORD@HOST`, which the URLs of targets do not:
  /// other users can read the arguments of a process. A password can contain characters that end the host of a valid URL.
  package static func containsUser(_ text: String) -> Bool {
    guard let start = text.firstRange(of: "://")?.upperBound else { return false }
    let host = text[start...].prefix { $0 != "/" && $0 != "?" }
    return host.contains("@") || (!host.isEmpty && text[start...].contains("@") && TargetURL(text) == nil)
  }

  /// The text with `...` instead of a user name and a password, for messages.
  package static func withoutUser(_ text: String) -> String {
    guard containsUser(text), let start = text.firstRange(of: "://")?.upperBound,
      let end = text.lastIndex(of: "@")
    else { return text }
    return text[..<start] + "..." + text[end...]
  }
}

extension TargetURL.Server {
  /// Parses `HOST`, `HOST:PORT` and `[ADDRESS]:PORT`.
  fileprivate init?(_ text: Substring) {
    var rest = text
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      rest = rest[end...]
    }
    guard !rest.isEmpty else { return }
    port = Int(rest.dropFirst())
    guard rest.hasPrefix(":"), port.map({ (1...65535).contains($0) }) ?? false else { return nil }
  }
}
