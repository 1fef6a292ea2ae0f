import Synchronization

/// A thread-safe counter of sent notifications.
final class Progress: Sendable {
  private let sent = Atomic(0)

  /// The count after one more.
  func add() -> Int { sent.add(1, ordering: .relaxed).newValue }
}
