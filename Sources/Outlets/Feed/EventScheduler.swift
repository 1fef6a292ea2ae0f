package import LiveSession

/// Releases events at their times.
///
/// A strap sends beats in batches, up to a second or more after they occurred. To keep the distances of the beats, each beat
/// is released one second after its end. Values are released at once. Their withdrawal follows the pending beats.
package struct EventScheduler: Equatable, Sendable {
  /// In ns.
  package static let delay: Int64 = 1_000_000_000
  /// Limit of the pending beats. If it is exceeded, the first ones are released early.
  package static let limit = 4096

  private struct Pending: Equatable {
    var due: Int64
    var event: TimedEvent
  }

  private var pending: [Pending] = []
  private var values: TimedEvent?
  private var withdrawalDue: Int64?

  package init() {}

  /// Adds a beat or a mark. Events are released in the order in which they are added.
  package mutating func add(_ event: TimedEvent) {
    let due = event.time + Self.delay
    pending.append(Pending(due: max(due, pending.last?.due ?? due), event: event))
  }

  /// Replaces the values, which are released next; withdrawn ones after the pending beats.
  package mutating func update(_ values: LiveValues, at now: Int64) {
    self.values = TimedEvent(.values(values), at: now)
    withdrawalDue = values.isLive ? nil : max(now, pending.last?.due ?? now)
  }

  /// The events that are due at `now`, in order.
  package mutating func take(at now: Int64) -> [TimedEvent] {
    let surplus = max(0, pending.count - Self.limit)
    let count = max(surplus, pending.firstIndex { $0.due > now } ?? pending.count)
    var events = pending.prefix(count).map(\.event)
    pending.removeFirst(count)
    if let values, withdrawalDue.map({ $0 <= now }) ?? true {
      events.append(values)
      (self.values, withdrawalDue) = (nil, nil)
    }
    return events
  }

  /// Time of the next event in ns, as long as one is pending.
  package var next: Int64? {
    guard let values else { return pending.first?.due }
    return min(withdrawalDue ?? values.time, pending.first?.due ?? .max)
  }
}
