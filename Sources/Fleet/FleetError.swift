package import Localization

/// A failure of a fleet operation: what was attempted, and what to type or check next.
package struct FleetError: Error, Equatable, Sendable, Translatable {
  package enum Code: Equatable, Sendable {
    /// An argument or a file of the user is not valid.
    case usage
    /// The server does not answer.
    case unreachable
    /// The server refuses user name, password or certificate.
    case unauthorized
    /// The server does not permit the operation to this user.
    case notPermitted
    /// The stream of the study does not exist.
    case noStream
    /// No server accepts messages for the stream, for example while its servers elect a leader.
    case noResponder
    /// The stream has reached its limit.
    case streamFull
    /// JetStream reported another error.
    case jetStream
    /// The database reported an error.
    case database
    /// A local file or the history failed.
    case local
  }

  package let code: Code
  package let message: Phrase

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package init(_ code: Code, _ message: Phrase) { (self.code, self.message) = (code, message) }

  /// Whether retrying the start of a collector can succeed without a change by the user, for example when a server starts again.
  package var isTransient: Bool {
    switch code {
    case .unreachable, .noResponder, .jetStream: true
    case .usage, .unauthorized, .notPermitted, .noStream, .streamFull, .database, .local: false
    }
  }

  /// Whether every attempt to publish fails in the same way until a user changes something.
  var requiresUserAction: Bool {
    switch code {
    case .usage, .unauthorized, .notPermitted, .noStream: true
    case .unreachable, .noResponder, .streamFull, .jetStream, .database, .local: false
    }
  }
}
