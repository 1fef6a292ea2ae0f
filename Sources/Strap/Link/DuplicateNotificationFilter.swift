/// Drops the duplicate notifications that BlueZ creates when several programs are subscribed: it signals each value
/// once per subscriber, to all subscribers.
///
/// A strap may also send the same value twice, and such values must not be lost. Duplicates are therefore detected by
/// their pattern: every value arrives equally often, back to back, with much longer pauses in between. A value equal to
/// its predecessor is held back, with all that follow, until the next values show whether they arrive as often. On a
/// loaded machine, duplicates of a few values arrive late: such values are evidence neither for nor against duplicates.
struct DuplicateNotificationFilter<Stamp: Sendable>: Sendable {
  struct Notification: Sendable {
    var payload: [UInt8]
    /// Nanoseconds of a monotonic clock.
    var arrival: Int64
    var stamp: Stamp
  }

  /// Consecutive equal values.
  private struct Group: Sendable {
    var members: [Notification]
    /// The number of members that were delivered or identified as duplicates.
    var settled = 0
    /// Whether the pause before the next value is too short to identify duplicates.
    var isSpreadOut = false

    var payload: [UInt8] { members[0].payload }
    var span: Int64 { members[members.count - 1].arrival - members[0].arrival }

    func isRepeated(by next: Notification) -> Bool {
      next.arrival - members[0].arrival <= DuplicateNotificationFilter.maximumSpan && payload == next.payload
    }
  }

  /// The maximum time, in nanoseconds, between the first and the last duplicate of a value; shorter than any RR interval,
  /// and a strap sends about one value per second.
  static var maximumSpan: Int64 { 200_000_000 }
  /// The number of consecutive distinct values that prove the number of duplicates.
  static var evidence: Int { 3 }
  /// The same for a strap that keeps sending one value.
  static var constantEvidence: Int { 16 }
  /// The minimum ratio of the pause before the next value to the span of the duplicates.
  static var minimumPauseRatio: Int64 { 8 }
  /// The maximum number of undecided values whose duplicates may be spread out.
  static var maximumSpreadOut: Int { 2 }

  /// How often each value arrives.
  private(set) var copies = 1
  /// The group of the latest value. If that value arrived more often than `copies`, also every undecided group before.
  private var groups: [Group] = []

  /// Delivers, in order, what is decided after `notification` has arrived.
  mutating func receive(_ notification: Notification, _ deliver: (Notification) -> Void) {
    guard isUsual(notification) else { return settle(notification).forEach(deliver) }
    copies = 1
    groups[0].members[0] = notification
    deliver(notification)
  }

  /// The usual case: a value, already delivered, arrived once and is followed by another one.
  private func isUsual(_ notification: Notification) -> Bool {
    groups.count == 1 && groups[0].members.count == 1 && !groups[0].isRepeated(by: notification)
  }

  /// Handles all other cases; returns what is decided.
  private mutating func settle(_ notification: Notification) -> [Notification] {
    if let last = groups.last, last.isRepeated(by: notification) {
      groups[groups.count - 1].members.append(notification)
      if groups.count == 1, groups[0].members.count <= copies { groups[0].settled += 1 }
      return []
    }
    var released = closeLast(before: notification.arrival)
    groups.append(Group(members: [notification]))
    if groups.count == 1 {
      groups[0].settled = 1
      released.append(notification)
    }
    return released
  }

  /// Whether values are held back.
  var isHolding: Bool { groups.contains { $0.settled < $0.members.count } }

  /// Returns all values held back. They are the strap's own, unless at least two distinct values arrived equally often.
  mutating func flush() -> [Notification] {
    guard groups.contains(where: { $0.settled < $0.members.count }) else { return [] }
    let count = groups[0].members.count
    let areDuplicates = distinct(groups) > 1 && groups.allSatisfy { $0.members.count == count }
    return release(each: areDuplicates ? count : copies)
  }

  /// Handles the completed last group: it has the size of the groups before, or proves that their values are the strap's.
  private mutating func closeLast(before arrival: Int64) -> [Notification] {
    guard let last = groups.last else { return [] }
    let count = last.members.count
    if groups.count == 1, count <= copies {
      copies = count
      groups = []
      return []
    }
    groups[groups.count - 1].isSpreadOut =
      arrival - last.members[count - 1].arrival < Self.minimumPauseRatio * last.span
    if agrees(last) {
      let dense = groups.filter { !$0.isSpreadOut }
      guard distinct(dense) >= Self.evidence || dense.count >= Self.constantEvidence else { return [] }
      copies = count
    }
    return release(each: copies)
  }

  /// Whether `last` has as many members as the first group, not a multiple of `copies`, and few groups are spread out.
  private func agrees(_ last: Group) -> Bool {
    let count = last.members.count
    return count == groups[0].members.count && (copies == 1 || !count.isMultiple(of: copies))
      && groups.count(where: \.isSpreadOut) <= Self.maximumSpreadOut
  }

  /// The number of `groups` that differ from their predecessor.
  private func distinct(_ groups: [Group]) -> Int {
    zip(groups, groups.dropFirst()).count { $0.payload != $1.payload } + 1
  }

  /// One of each `count` equal values, without those already delivered.
  private mutating func release(each count: Int) -> [Notification] {
    defer { groups = [] }
    return groups.flatMap { group in
      (group.settled..<group.members.count).filter { $0.isMultiple(of: count) }.map { group.members[$0] }
    }
  }
}
