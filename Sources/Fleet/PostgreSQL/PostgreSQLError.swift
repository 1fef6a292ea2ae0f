/// A failed operation of libpq.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the caller should do next.
  package enum Reaction: Equatable, Sendable {
    /// The connection is unusable, or the server accepts no writes: connect again after a delay.
    case reconnect
    /// The server is out of a resource or chose this transaction as the victim of a deadlock: repeat it after a delay.
    case retry
    /// A value does not fit the schema: repeating the transaction cannot succeed.
    case invalidData
    /// Anything else, such as a missing privilege.
    case fail
  }

  /// SQLSTATE, five characters (PostgreSQL 15, appendix A); nil for errors of the client.
  package let state: String?
  /// The message of the server or of libpq, without the severity.
  package let description: String
  private let isConnectionBad: Bool

  init(state: String? = nil, _ description: String, isConnectionBad: Bool = false) {
    (self.state, self.description, self.isConnectionBad) = (state, description, isConnectionBad)
  }

  package var reaction: Reaction {
    guard !isConnectionBad, let state else { return .reconnect }
    switch state {
    // Read-only transaction: the server was demoted or is a standby. 57P0x: it shuts down or starts.
    case "25006", "57P01", "57P02", "57P03", "57P05", "25P03": return .reconnect
    case "40001", "40P01", "55P03", "57014": return .retry
    default: break
    }
    switch state.prefix(2) {
    case "08": return .reconnect
    case "53", "58": return .retry
    case "22": return .invalidData
    default: return .fail
    }
  }

  /// Whether the failure can pass without a change by the user.
  var canPass: Bool { reaction == .reconnect || reaction == .retry }
}
