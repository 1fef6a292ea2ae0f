import HeartRate
import Platform

/// Appends the events of one session to its queue, with times relative to the start of the session.
///
/// Duplicate notifications are dropped. Notifications that the filter still holds are appended before any other event, so
/// that the events stay in the order of their times.
struct SessionEventWriter {
  private let queue: EventQueue
  private let startedAt: Int64
  private var filter = DuplicateNotificationFilter<WallTime>()

  /// - Parameter startedAt: Nanoseconds of ``BootClock``.
  init(queue: EventQueue, startedAt: Int64) {
    self.queue = queue
    self.startedAt = startedAt
  }

  func elapsed(at now: Int64) -> Duration { .nanoseconds(now - startedAt) }

  mutating func append(_ kind: SessionEvent.Kind, at now: Int64) {
    flush()
    append(kind, at: now, wall: BootClock.wall())
  }

  /// Appends `payload` unless it is a duplicate, or may be one; then it is appended later.
  mutating func append(notification payload: [UInt8], arrival: Int64) {
    let (queue, startedAt) = (queue, startedAt)
    filter.receive(.init(payload: payload, arrival: arrival, stamp: BootClock.wall())) {
      Self.append($0, to: queue, startedAt)
    }
  }

  /// Appends all notifications that the filter holds.
  mutating func flush() {
    for notification in filter.flush() { Self.append(notification, to: queue, startedAt) }
  }

  /// Ends the subscription: appends what the filter holds and resets it.
  mutating func resetFilter() {
    flush()
    filter = DuplicateNotificationFilter()
  }

  /// Ends the events. Later events are ignored.
  func finish(_ end: Result<Void, any Error> = .success(())) { queue.finish(end) }

  private func append(_ kind: SessionEvent.Kind, at now: Int64, wall: WallTime) {
    queue.append(SessionEvent(at: SessionTime(nanoseconds: now - startedAt), wall: wall, kind))
  }

  private static func append(
    _ notification: DuplicateNotificationFilter<WallTime>.Notification, to queue: EventQueue,
    _ startedAt: Int64
  ) {
    queue.append(
      SessionEvent(
        at: SessionTime(nanoseconds: notification.arrival - startedAt), wall: notification.stamp,
        .notification(payload: notification.payload)))
  }
}
