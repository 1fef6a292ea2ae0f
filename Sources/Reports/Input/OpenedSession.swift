package import Formats
package import HeartRate
package import Recording
package import SessionData

/// One session of a file of any format.
package struct OpenedSession: Sendable {
  package let format: FileFormat
  package let events: Events
  package let start: FileSession.Start?
  package let strap: StrapIdentity?
  /// Profile and conditions of the session; only in files that stressmon wrote.
  package let header: RecordingHeader?
  /// What an exported session states in addition to its header.
  package let provenance: SessionProvenance?
  /// Number of values that were empty or skipped on request.
  package let skipped: Int

  init(_ reader: RecordingReader, report: @escaping SessionFile.Report) {
    (format, header, strap) = (.recording, reader.header, reader.header.strap)
    (start, skipped) = (reader.header.started.map { .absolute($0, utcOffset: nil) }, 0)
    provenance = nil
    events = .recording(reader.events { report("\($0)") })
  }

  init(_ text: RRText) {
    (format, skipped, events) = (.rr, text.skippedLines, .rrText(text.events))
    (start, strap, header, provenance) = (text.start, nil, nil, nil)
  }

  package init(_ session: FileSession, _ format: FileFormat) {
    (self.format, events, skipped) = (format, .list(session.events), session.skipped)
    (start, strap, header) = (session.start, session.strap, session.header)
    provenance = session.provenance
  }

  /// Start time, if the file states it.
  package var started: WallTime? { start?.localized.time }

  /// The session with all its events in memory.
  package var fileSession: FileSession {
    var session = FileSession(start: start, strap: strap, events: events.all)
    (session.skipped, session.header, session.provenance) = (skipped, header, provenance)
    return session
  }
}

extension OpenedSession {
  /// The events of a session, from memory or read from the file while they are iterated.
  package enum Events: Sequence, Sendable {
    case recording(RecordingReader.Events)
    case rrText(RRText.Events)
    case list([SessionEvent])

    /// All events in memory.
    var all: [SessionEvent] { if case .list(let events) = self { events } else { Array(self) } }

    package enum Iterator: IteratorProtocol {
      case recording(RecordingReader.Iterator)
      case rrText(RRText.Iterator)
      case list(IndexingIterator<[SessionEvent]>)

      package mutating func next() -> SessionEvent? {
        switch self {
        case .recording(var iterator):
          defer { self = .recording(iterator) }
          return iterator.next()
        case .rrText(var iterator):
          defer { self = .rrText(iterator) }
          return iterator.next()
        case .list(var iterator):
          defer { self = .list(iterator) }
          return iterator.next()
        }
      }
    }

    package var underestimatedCount: Int {
      switch self {
      case .recording: 0
      case .rrText(let events): events.underestimatedCount
      case .list(let events): events.count
      }
    }

    package func makeIterator() -> Iterator {
      switch self {
      case .recording(let events): .recording(events.makeIterator())
      case .rrText(let events): .rrText(events.makeIterator())
      case .list(let events): .list(events.makeIterator())
      }
    }
  }
}
