/// The events that one target has not processed. If it is full, the oldest event is dropped.
///
/// Values are complete: those that remain supersede the dropped ones. A dropped beat is counted.
package struct EventQueue: Equatable, Sendable {
  package static let limit = 1024

  private var events: [TimedEvent] = []
  /// Number of events that were dropped.
  package private(set) var dropped = 0
  /// Whether no event follows.
  package private(set) var isFinished = false

  package init() {}

  package mutating func append(_ new: [TimedEvent]) {
    events += new
    let surplus = events.count - Self.limit
    guard surplus > 0 else { return }
    events.removeFirst(surplus)
    dropped += surplus
  }

  package mutating func finish() { isFinished = true }

  /// Removes and returns all events.
  package mutating func takeAll() -> [TimedEvent] {
    defer { events.removeAll(keepingCapacity: events.capacity <= 64) }
    return events
  }
}
