import HeartRate
import Platform

/// Appends the events of one session to its queue, with times relative to the start of the session.
///
/// Duplicate notifications are dropped. To keep the events in the order of their times, notifications that the filter still
/// delays are appended before any other event.
struct SessionEventWriter {
  private let queue: StrapEventQueue
  private let startedAt: Int64
  private var filter = DuplicateNotificationFilter<WallTime>()
  private var frames = SensorFrameOrder<WallTime>()

  /// - Parameter startedAt: Nanoseconds of ``SystemClock``.
  init(queue: StrapEventQueue, startedAt: Int64) {
    self.queue = queue
    self.startedAt = startedAt
  }

  func elapsed(at now: Int64) -> Duration { .nanoseconds(now - startedAt) }

  mutating func append(_ kind: SessionEvent.Kind, at now: Int64) {
    flush()
    append(kind, at: now, wall: SystemClock.wall)
  }

  /// Appends `payload` unless it is a duplicate, or may be one; then it is appended later.
  mutating func append(notification payload: [UInt8], arrival: Int64) {
    let (queue, startedAt) = (queue, startedAt)
    if frames.isEmpty {
      filter.receive(.init(payload: payload, arrival: arrival, stamp: SystemClock.wall)) {
        Self.append($0, to: queue, startedAt)
      }
    } else {
      var decided: [DuplicateNotificationFilter<WallTime>.Notification] = []
      filter.receive(.init(payload: payload, arrival: arrival, stamp: SystemClock.wall)) {
        decided.append($0)
      }
      appendInOrder(decided)
    }
  }

  /// Appends a sensor frame unless it is a duplicate. A frame that arrives after an undecided notification is appended
  /// after the decision.
  mutating func append(frame payload: [UInt8], arrival: Int64) {
    guard frames.receive(.init(payload: payload, arrival: arrival, stamp: SystemClock.wall)) else { return }
    appendInOrder([])
  }

  /// Appends all notifications that the filter holds, and all frames.
  mutating func flush() { appendInOrder(filter.flush()) }

  /// Appends notifications and held frames in the order of their arrival.
  private mutating func appendInOrder(_ notifications: [DuplicateNotificationFilter<WallTime>.Notification]) {
    for notification in notifications {
      append(frames.release(until: notification.arrival))
      Self.append(notification, to: queue, startedAt)
    }
    if !filter.isHolding { append(frames.release(until: nil)) }
  }

  private func append(_ released: [SensorFrameOrder<WallTime>.Frame]) {
    for frame in released {
      queue.append(
        SessionEvent(
          at: SessionTime(nanoseconds: frame.arrival - startedAt), wall: frame.stamp,
          .sensorFrame(payload: frame.payload)))
    }
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
    _ notification: DuplicateNotificationFilter<WallTime>.Notification, to queue: StrapEventQueue,
    _ startedAt: Int64
  ) {
    queue.append(
      SessionEvent(
        at: SessionTime(nanoseconds: notification.arrival - startedAt), wall: notification.stamp,
        .notification(payload: notification.payload)))
  }
}
