import Glibc
package import Platform

/// The hosts and origins under which the server can be reached. They are compared as a whole. This rejects a name that a
/// foreign DNS server resolves to the loopback address (DNS rebinding).
package struct HostPolicy: Equatable, Sendable {
  private let hosts: Set<String>
  private let privateHosts: Set<String>
  /// The origin of the pages.
  package let origin: String

  /// - Parameters:
  ///   - port: the port of the server.
  ///   - pages: the host of the pages.
  package init(port: Int, pages: PrivateHost) {
    func withPort(_ names: [String]) -> Set<String> {
      Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }
    privateHosts = withPort([pages.name])
    hosts = withPort(["127.0.0.1", "[::1]", "localhost"]).union(privateHosts)
    origin = pages.origin(port: port)
  }

  /// Whether a Host header names this server. Names are compared in small letters; a final dot is not accepted.
  package func accepts(host: String?) -> Bool { host.map { hosts.contains($0.lowercased()) } ?? false }

  /// Whether a Host header is that of the pages, at which cookies are accepted.
  package func isPrivate(host: String?) -> Bool {
    host.map { privateHosts.contains($0.lowercased()) } ?? false
  }

  /// Whether an Origin header names this server.
  package func accepts(origin: String) -> Bool {
    guard origin.hasPrefix("http://") else { return false }
    return hosts.contains(String(origin.dropFirst("http://".count)).lowercased())
  }
}

/// The host name of the pages: 128 random bits below `.localhost`, which browsers resolve to the loopback addresses (RFC 6761).
///
/// Browsers send the cookies of a host to all of its ports, so those of 127.0.0.1 would reach every other server of the
/// machine. No other server knows this name. It is stored, because cookies and bookmarks belong to it.
package struct PrivateHost: Equatable, Sendable {
  package let name: String

  init(label: String) { name = label + ".localhost" }

  /// Reads `serve-host` in the folder of the access tokens, or creates it (mode 0600).
  package init(_ environment: ProcessEnvironment) throws(FileError) {
    try self.init(path: TokenStore.folder(environment) + "/serve-host")
  }

  init(path: String) throws(FileError) {
    if let label = Self.stored(path) {
      self.init(label: label)
      return
    }
    try Folder.create(Folder.parent(of: path))
    let label = (0..<16).map { _ in
      let digits = String(UInt8.random(in: .min ... .max), radix: 16)
      return digits.count == 2 ? digits : "0" + digits
    }.joined()
    try OutputFile(path: path, replacing: true).write(Array((label + "\n").utf8))
    self.init(label: label)
  }

  /// The origin of the pages of the server at a port.
  package func origin(port: Int) -> String { port == 80 ? "http://\(name)" : "http://\(name):\(port)" }

  /// The stored text, if the file exists and has valid content.
  private static func stored(_ path: String) -> String? {
    guard let bytes = try? ByteSource(path: path).readAll(limit: 64) else { return nil }
    let label = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let isValid = label.utf8.count == 32 && label.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isValid ? label : nil
  }
}
