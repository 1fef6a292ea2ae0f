/// Closures that run at a time of ``BootClock``. There are only a few at a time, so a list is sufficient.
package struct BusTimers {
  package struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct Entry {
    var id: ID
    var due: Int64
    var action: () -> Void
  }

  private var entries: [Entry] = [] { didSet { nextDue = entries.lazy.map(\.due).min() } }
  private var lastNumber: UInt64 = 0

  /// When the next timer is due, in nanoseconds; nil without a timer.
  private(set) var nextDue: Int64?

  mutating func add(due: Int64, action: @escaping () -> Void) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries.append(Entry(id: id, due: due, action: action))
    return id
  }

  mutating func cancel(_ id: ID) {
    entries.removeAll { $0.id == id }
  }

  /// Removes the timers that are due and returns their actions, in the order of their times.
  mutating func removeDue(at now: Int64) -> [() -> Void] {
    guard let next = nextDue, next <= now else { return [] }
    let due = entries.filter { $0.due <= now }.sorted { $0.due < $1.due }
    entries.removeAll { $0.due <= now }
    return due.map(\.action)
  }
}
