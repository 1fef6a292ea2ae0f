package import HeartRate
internal import Synchronization

/// The events of a stored session, read in pages: memory stays constant however long the session is.
///
/// A sequence cannot throw. Where reading fails it ends, and ``failure`` says why: ask it after the last event.
package struct StoredEvents: Sequence, Sendable {
  private static let pageSize = 512

  private let reader: HistoryReader
  private let session: SessionID
  private let failed = Failure()

  init(reader: HistoryReader, session: SessionID) {
    self.reader = reader
    self.session = session
  }

  /// Why the latest iteration ended early; nil when it came to the end.
  package var failure: HistoryError? { failed.error.withLock { $0 } }

  package func makeIterator() -> Iterator {
    failed.error.withLock { $0 = nil }
    return Iterator(events: self)
  }

  package struct Iterator: IteratorProtocol {
    private let events: StoredEvents
    private var page: [(sequence: Int64, event: SessionEvent)] = []
    private var place = 0
    private var nextSequence: Int64 = 0

    fileprivate init(events: StoredEvents) { self.events = events }

    package mutating func next() -> SessionEvent? {
      if place == page.count {
        page = events.page(from: nextSequence)
        place = 0
        guard let last = page.last else { return nil }
        nextSequence = last.sequence + 1
      }
      defer { place += 1 }
      return page[place].event
    }
  }

  private func page(from sequence: Int64) -> [(sequence: Int64, event: SessionEvent)] {
    do throws(HistoryError) {
      return try reader.read {
        try EventRow.page($0, session: session, from: sequence, limit: Self.pageSize)
      }
    } catch {
      failed.error.withLock { $0 = error }
      return []
    }
  }

  private final class Failure: Sendable {
    let error = Mutex<HistoryError?>(nil)
  }
}
