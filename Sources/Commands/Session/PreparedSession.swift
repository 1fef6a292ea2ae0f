import History
import Synchronization

/// A session that is about to begin: what it may measure is claimed, for as long as it is kept, and its files are open.
struct PreparedSession: Sendable {
  let plan: SessionPlan
  private let memory: StoredProfile
  private let reception: Reception
  private let begin: @Sendable () async throws -> Void

  init(
    plan: SessionPlan, memory: StoredProfile, reception: Reception,
    _ begin: @escaping @Sendable () async throws -> Void
  ) {
    self.plan = plan
    self.memory = memory
    self.reception = reception
    self.begin = begin
  }

  /// The failure of a session whose time is over without any data; nil for any other end.
  func missingData(_ end: RunEnd, after length: Duration?) -> CommandFailure? {
    guard end == .timeOver, let length else { return nil }
    return reception.failure(after: length)
  }

  /// Runs it until its source has no more, or the task is cancelled.
  func run() async throws { try await begin() }

  /// Learns from it once it is over.
  func learn() { memory.learn() }
}

/// The sessions of one run, which the history must not take for those of a program that was killed.
final class ConcurrentSessions: Sendable {
  private let ids = Mutex<[SessionID]>([])

  var all: [SessionID] { ids.withLock { $0 } }
  func add(_ id: SessionID) { ids.withLock { $0.append(id) } }
}
