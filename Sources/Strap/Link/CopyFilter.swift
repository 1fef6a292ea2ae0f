/// Takes out the copies of notifications that BlueZ makes when several programs are subscribed: it then signals each
/// value once per subscriber, to all of them.
///
/// A copy looks like the value of a strap that sends the same one twice, and those may not be lost. So copies are
/// known by their pattern alone: every value comes equally often, back to back, with far longer pauses in between.
/// What is equal to the value before it waits until the next few values show whether they came as often; until then
/// it, and what follows, is held back.
struct CopyFilter<Stamp: Sendable>: Sendable {
  struct Notification: Sendable {
    var payload: [UInt8]
    /// Nanoseconds of a clock that never steps.
    var arrival: Int64
    var stamp: Stamp
  }

  /// Equal values, one right after the other.
  private struct Group: Sendable {
    var members: [Notification]
    /// How many of them were handed on, or are known to be copies.
    var settled = 0

    var payload: [UInt8] { members[0].payload }
    var span: Int64 { members[members.count - 1].arrival - members[0].arrival }

    func isRepeated(by next: Notification) -> Bool {
      next.arrival - members[0].arrival <= CopyFilter.reach && payload == next.payload
    }
  }

  /// The longest time, in nanoseconds, in which all copies of a value come; a strap sends about one value a second.
  static var reach: Int64 { 100_000_000 }
  /// How many values, each unlike the one before, show how many copies there are.
  static var evidence: Int { 3 }
  /// The same of a strap that goes on sending one value.
  static var constantEvidence: Int { 16 }
  /// How much longer the pause before the next value is than the time that the copies took.
  static var contrast: Int64 { 8 }

  /// How often each value comes.
  private(set) var copies = 1
  /// The value that came last; if it came more often than `copies`, and those after it, all that is not decided.
  private var groups: [Group] = []

  /// Hands on, in order, what can be now that `notification` has come.
  mutating func take(_ notification: Notification, _ handOn: (Notification) -> Void) {
    guard follows(notification) else { return settle(notification).forEach(handOn) }
    copies = 1
    groups[0].members[0] = notification
    handOn(notification)
  }

  /// Whether it is as it nearly always is: one value, known to be the strap's, follows another that came once.
  private func follows(_ notification: Notification) -> Bool {
    groups.count == 1 && groups[0].members.count == 1 && !groups[0].isRepeated(by: notification)
  }

  /// What can be handed on in all other cases.
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

  /// Everything that is held back: the strap's own values, unless at least two that differ came equally often.
  mutating func flush() -> [Notification] {
    guard groups.contains(where: { $0.settled < $0.members.count }) else { return [] }
    let count = groups[0].members.count
    let areCopies = distinct > 1 && groups.allSatisfy { $0.members.count == count }
    return release(each: areCopies ? count : copies)
  }

  /// The last group is whole: it agrees with those before it, or shows that they are the strap's own.
  private mutating func closeLast(before arrival: Int64) -> [Notification] {
    guard let last = groups.last else { return [] }
    let count = last.members.count
    if groups.count == 1, count <= copies {
      copies = count
      groups = []
      return []
    }
    if agrees(last, before: arrival) {
      guard distinct >= Self.evidence || groups.count >= Self.constantEvidence else { return [] }
      copies = count
    }
    return release(each: copies)
  }

  /// Whether `last` came as often as the first, not as a multiple of what is known, and fast enough for copies.
  private func agrees(_ last: Group, before arrival: Int64) -> Bool {
    let count = last.members.count
    return count == groups[0].members.count && (copies == 1 || !count.isMultiple(of: copies))
      && arrival - last.members[count - 1].arrival >= Self.contrast * last.span
  }

  /// How many groups differ from the one before.
  private var distinct: Int {
    zip(groups, groups.dropFirst()).count { $0.payload != $1.payload } + 1
  }

  /// One of each `count` equal values, without those that were settled before.
  private mutating func release(each count: Int) -> [Notification] {
    defer { groups = [] }
    return groups.flatMap { group in
      (group.settled..<group.members.count).filter { $0.isMultiple(of: count) }.map { group.members[$0] }
    }
  }
}
