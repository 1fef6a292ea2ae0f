/// The hosts and origins under which the server can be reached. They are compared as a whole, so that a name that a foreign
/// DNS server resolves to the loopback address (DNS rebinding) is rejected.
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
