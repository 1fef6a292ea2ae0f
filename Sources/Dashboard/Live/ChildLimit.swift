import Platform

/// Limits the commands that run at the same time at the request of clients, of each kind and in total. The activity of
/// ``ActivityRunner`` is not counted: there is one at a time.
package final class ChildLimit: Sendable {
  /// What a command does.
  enum Kind: String, CaseIterable, Sendable {
    /// Reads or changes the settings, which takes some 50 ms.
    case settings
    /// Uses the Bluetooth adapter: searches for straps, pairs and unpairs.
    case radio
    case doctor
    /// Writes a copy of the database or of a session.
    case export

    /// Limit of the commands of this kind.
    var maximum: Int {
      switch self {
      case .settings: 6
      case .radio, .doctor: 1
      case .export: 2
      }
    }
  }

  /// Limit of the commands of all kinds.
  static let maximum = 8

  private let running = Locked<[Kind: Int]>([:])

  /// Runs a command.
  /// - Throws: ``Problem`` 503 if too many commands are running; errors of `body`.
  func run<Result>(_ kind: Kind, _ body: () async throws -> Result) async throws -> Result {
    guard begins(kind) else {
      throw Problem(
        503, "Too many commands",
        "Another request runs the same command (\(kind.rawValue)). Try again when it has ended.",
        retryAfter: 10)
    }
    defer { running.withLock { $0[kind, default: 0] -= 1 } }
    return try await body()
  }

  private func begins(_ kind: Kind) -> Bool {
    running.withLock { running in
      let count = running[kind, default: 0]
      guard count < kind.maximum, running.values.reduce(0, +) < Self.maximum else { return false }
      running[kind] = count + 1
      return true
    }
  }
}
