/// A failed operation of libpq.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the caller should do next.
  package enum Reaction: Equatable, Sendable {
    /// The connection is unusable, or the server accepts no writes: connect again after a delay.
    case reconnect
    /// The server is out of a resource, chose this transaction as the victim of a deadlock, or another transaction changed
    /// its data: repeat it after a delay.
    case retry
    /// A value does not fit the schema: repeating the transaction cannot succeed.
    case invalidData
    /// Anything else, such as a missing privilege.
    case fail
  }

  /// SQLSTATE, five characters (PostgreSQL 15, appendix A). Errors of the client have none.
  package let state: String?
  /// The message of the server or of libpq, without the severity.
  package let description: String
  private let isConnectionBad: Bool

  init(state: String? = nil, _ description: String, isConnectionBad: Bool = false) {
    (self.state, self.description, self.isConnectionBad) = (state, description, isConnectionBad)
  }

  /// Private values of SQLSTATE.
  enum PrivateState {
    /// The schema is newer than the program.
    static let newerSchema = "SM001"
    /// Another collector has taken over the partition.
    static let lostLease = "SM002"
    /// Stored data are not valid.
    static let invalidStoredData = "SM003"
    /// A transaction of another partition has removed or changed a session of the batch.
    static let changedSession = "SM004"
  }

  static let changedSession = PostgreSQLError(
    state: PrivateState.changedSession, "another collector changed a session of the batch")

  package var reaction: Reaction {
    guard !isConnectionBad, let state else { return .reconnect }
    switch state {
    // Read-only transaction: the server was demoted or is a standby. 57P0x: it shuts down or starts.
    case "25006", "57P01", "57P02", "57P03", "57P05", "25P03": return .reconnect
    // 23503: another transaction removed the session to which a row refers.
    case "40001", "40P01", "55P03", "57014", "23503", PrivateState.changedSession: return .retry
    default: break
    }
    switch state.prefix(2) {
    case "08": return .reconnect
    case "53", "58": return .retry
    case "22": return .invalidData
    default: return .fail
    }
  }

  /// Whether the server refuses the user or the database: 28 is an invalid authorization, 3D a database that does not exist,
  /// and 42501 a missing privilege.
  var isRefusal: Bool {
    guard let state else { return false }
    return state.hasPrefix("28") || state.hasPrefix("3D") || state == "42501"
  }

  /// The SQLSTATE in the verbose text of an error, such as `FATAL:  28P01: password authentication failed`.
  ///
  /// The severity is in the language of the server. If several hosts were tried, the first refusal is returned, else the last
  /// state.
  static func state(ofVerbose text: String) -> String? {
    let states = text.matches(of: #/:  ([0-9A-Z]{5}): /#).map { String($0.1) }
    return states.first { PostgreSQLError(state: $0, "").isRefusal } ?? states.last
  }

  /// Whether retrying can succeed without a change by the user.
  var isTransient: Bool { reaction == .reconnect || reaction == .retry }
}

extension String {
  /// A message of libpq on one line, without its hints, which begin with a tab.
  var singleLineMessage: String {
    split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }.joined(separator: "; ")
      .trimmingTrailingSpaces
  }

  private var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
