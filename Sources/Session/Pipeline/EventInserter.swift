package import HeartRate
import LiveSession
import Synchronization

/// Inserts events that the source of a session does not produce, such as marks.
///
/// An event that is inserted while a sink receives ``SessionUpdate/upcoming(_:)`` is processed before the upcoming event.
/// Any other event is processed by ``SessionPipeline`` as soon as the current event is done.
package final class EventInserter: Sendable {
  private let pending = Mutex<[SessionEvent]>([])
  /// Yields when events were inserted; several insertions may be combined.
  let insertions: AsyncStream<Void>
  private let inserted: AsyncStream<Void>.Continuation

  package init() {
    (insertions, inserted) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func insert(_ events: [SessionEvent]) {
    guard !events.isEmpty else { return }
    pending.withLock { $0 += events }
    inserted.yield()
  }

  /// Removes and returns the events that are not processed yet, in the order of insertion.
  func removeAll() -> [SessionEvent] {
    pending.withLock { pending in
      if pending.isEmpty { return [] }
      defer { pending = [] }
      return pending
    }
  }
}
