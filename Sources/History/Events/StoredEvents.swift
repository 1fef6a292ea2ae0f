package import HeartRate
internal import Platform

/// The events of a stored session, read in pages. Memory use does not depend on the length of the session.
///
/// A sequence cannot throw. If reading fails, the sequence ends; check ``failure`` after the last event.
package struct StoredEvents: Sequence, Sendable {
  private static let pageSize = 512

  private let reader: HistoryReader
  private let session: SessionID
  private let start: SessionTime?
  private let failed = Failure()

  init(reader: HistoryReader, session: SessionID, from start: SessionTime?) {
    self.reader = reader
    self.session = session
    self.start = start
  }

  /// The error that ended the latest iteration, if not all events were read.
  package var failure: HistoryError? { failed.error.withLock { $0 } }

  package func makeIterator() -> Iterator {
    failed.error.withLock { $0 = nil }
    return Iterator(events: self, from: firstSequence)
  }

  package struct Iterator: IteratorProtocol {
    private let events: StoredEvents
    private var page: [(sequence: Int64, event: SessionEvent)] = []
    private var position = 0
    private var nextSequence: Int64

    fileprivate init(events: StoredEvents, from first: Int64) {
      (self.events, nextSequence) = (events, first)
    }

    package mutating func next() -> SessionEvent? {
      if position == page.count {
        page = events.page(from: nextSequence)
        position = 0
        guard let last = page.last else { return nil }
        nextSequence = last.sequence + 1
      }
      defer { position += 1 }
      return page[position].event
    }
  }

  /// The sequence number of the first event that reaches ``start``.
  private var firstSequence: Int64 {
    guard let start else { return 0 }
    do throws(HistoryError) {
      return try reader.read { try EventTable.firstSequence($0, session: session, reaching: start) }
    } catch {
      failed.error.withLock { $0 = error }
      return .max
    }
  }

  private func page(from sequence: Int64) -> [(sequence: Int64, event: SessionEvent)] {
    do throws(HistoryError) {
      return try reader.read {
        try EventTable.page($0, session: session, from: sequence, limit: Self.pageSize)
      }
    } catch {
      failed.error.withLock { $0 = error }
      return []
    }
  }

  private final class Failure: Sendable {
    let error = Locked<HistoryError?>(nil)
  }
}

extension HistoryReader {
  /// The events of `session`, in their order, identical to the received events.
  /// - Parameter start: Begins with the first event at this time or later. By default, all events are read.
  package func events(of session: SessionID, from start: SessionTime? = nil) -> StoredEvents {
    StoredEvents(reader: self, session: session, from: start)
  }
}
