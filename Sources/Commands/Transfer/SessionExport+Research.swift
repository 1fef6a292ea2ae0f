import Formats
import HeartRate
import History

extension SessionExport {
  /// Writes a session in a research format of one or two files.
  func writeResearch(
    _ session: StoredSession, _ events: StoredEvents, to destination: inout ExportDestination
  ) throws {
    let content = try ResearchSession(session, events)
    guard !content.isEmpty else { return try Self.skip(session, isOnly: !destination.isSplit) }
    let id = session.info.id
    switch format {
    case .wfdb:
      let writer = WFDBWriter(content)
      try destination.write(writer.header(record: destination.name(of: id)), of: id)
      try destination.writeSibling(WFDBWriter.annotator, of: id) { try writer.annotations(to: $0) }
    case .openMHealth:
      try OpenMHealthWriter(content, id: id.text).write(events) { try destination.write($0, of: id) }
    default: try EDFWriter(content).write(events) { try destination.write($0, of: id) }
    }
  }
}

extension ResearchSession {
  /// The index of a stored session.
  /// - Throws: `HistoryError` if the events cannot be read completely.
  init(_ session: StoredSession, _ events: StoredEvents) throws {
    self.init(events, started: session.info.started, utcOffset: session.info.utcOffset)
    if let failure = events.failure { throw failure }
  }
}
