/// The hosts and origins under which the server can be reached. They are compared as a whole, so that a name that a foreign
/// DNS server resolves to the loopback address (DNS rebinding) is rejected.
package struct HostPolicy: Equatable, Sendable {
  private let hosts: Set<String>

  /// - Parameters:
  ///   - port: the port of the server.
  ///   - additional: further hosts without a port, such as the address of `--listen`.
  package init(port: Int, additional: [String] = []) {
    let names = ["127.0.0.1", "[::1]", "localhost"] + additional
    hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// Whether a Host header names this server. Names are compared in small letters; a final dot is not accepted.
  package func accepts(host: String?) -> Bool { host.map { hosts.contains($0.lowercased()) } ?? false }

  /// Whether an Origin header names this server.
  package func accepts(origin: String) -> Bool {
    guard origin.hasPrefix("http://") else { return false }
    return hosts.contains(String(origin.dropFirst("http://".count)).lowercased())
  }
}
