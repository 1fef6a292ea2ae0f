import Synchronization

/// Counts what was sent, on whatever thread.
final class Progress: Sendable {
  private let sent = Atomic(0)

  /// The count after one more.
  func add() -> Int { sent.add(1, ordering: .relaxed).newValue }
}
