internal import History

/// The sessions of a partition whose engines are in memory. The least recently used ones are dropped.
struct SessionCache {
  /// A session with the number of its events up to the last stored one. The engine is missing until the header was received.
  struct Entry {
    var number: Int64
    var owner: SessionOwner
    var highest: Int64
    var progress: SessionProgress?

    var next: Int64 { progress?.next ?? 0 }
  }

  let limit: Int
  private var entries: [SessionID: (entry: Entry, used: Int64)] = [:]
  private var clock: Int64 = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  func contains(_ session: SessionID) -> Bool { entries[session] != nil }

  /// Removes and returns a session. The caller then owns its engine and changes it without a copy.
  mutating func take(_ session: SessionID) -> Entry? { entries.removeValue(forKey: session)?.entry }

  mutating func put(_ entry: Entry, for session: SessionID) {
    clock += 1
    entries[session] = (entry, clock)
  }

  mutating func removeAll() { entries.removeAll() }

  /// Drops the sessions above the limit.
  mutating func shrink() {
    guard entries.count > limit else { return }
    let oldest = entries.sorted { $0.value.used < $1.value.used }.prefix(entries.count - limit)
    for (session, _) in oldest { entries[session] = nil }
  }
}
