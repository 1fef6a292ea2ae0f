import Formats
import HRV
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Recording
import Reports
import SessionArchive
import SessionData
import Stress
import Terminal

/// Writes sessions of the history one at a time: memory is proportional to the longest session, not to their number.
struct SessionExport {
  let format: ExportFormat
  let reader: HistoryReader
  let environment: ProcessEnvironment

  /// Size in bytes at which buffered lines are written.
  private static let chunk = 1 << 18

  func write(_ sessions: [StoredSession], to destination: ExportDestination) throws {
    var destination = destination
    do {
      try writeAll(sessions, to: &destination)
      try destination.finish()
    } catch {
      destination.discard()
      throw error
    }
  }

  private func writeAll(_ sessions: [StoredSession], to destination: inout ExportDestination) throws {
    let progress = ProgressLine(localized("exporting"), environment)
    defer { progress.clear() }
    if format == .csv { try destination.write(BeatTable.headingLine, of: nil) }
    for (place, session) in sessions.enumerated() {
      try write(session, to: &destination)
      progress.update(
        Double(place + 1) / Double(sessions.count),
        detail: localized("\(place + 1) session", "\(place + 1) sessions", count: place + 1))
    }
  }

  private func write(_ session: StoredSession, to destination: inout ExportDestination) throws {
    let info = session.info
    let events = reader.events(of: info.id)
    switch format {
    case .jsonl, .recording: try writeLines(session, events, to: &destination)
    case .csv:
      let beats = ArtefactClassifier.classify(CollectedBeats(events).beats)
      try destination.write(
        BeatTable.rows(of: beats, session: info.id.text, profile: info.profile, started: info.started),
        of: session.info.id)
    case .rr:
      try write(RRSeries(events, longest: RRSeries.longestInText), of: session, to: &destination) { $0.text }
    case .kubios:
      try write(RRSeries(events, longest: RRSeries.longestInFile), of: session, to: &destination) {
        $0.hrm(started: info.started, utcOffset: info.utcOffset)
      }
    case .fit:
      try write(RRSeries(events, longest: RRSeries.longestInFile), of: session, to: &destination) {
        $0.fit(started: info.started, utcOffset: info.utcOffset)
      }
    // The daily formats contain no sessions.
    case .intervals, .hrv4training: break
    case .edf, .wfdb, .bids, .openMHealth: try writeResearch(session, events, to: &destination)
    }
    if let failure = events.failure { throw failure }
    destination.finishSession()
  }

  private func write(
    _ series: RRSeries, of session: StoredSession, to destination: inout ExportDestination,
    _ bytes: (RRSeries) -> [UInt8]
  ) throws {
    guard !series.isEmpty else { return try Self.skip(session, isOnly: !destination.isSplit) }
    try destination.write(bytes(series), of: session.info.id)
  }

  /// Reports a session without RR intervals.
  /// - Throws: ``CommandFailure`` if no other session is exported.
  static func skip(_ session: StoredSession, isOnly: Bool) throws {
    guard !isOnly else {
      throw CommandFailure(.badData, Phrase("session \("\(session.info.id)") contains no RR intervals"))
    }
    printDiagnostic(
      "stressmon: " + localized("session \(session.info.id.text) is skipped: it contains no RR intervals"))
  }

  private func writeLines(
    _ session: StoredSession, _ events: StoredEvents, to destination: inout ExportDestination
  ) throws {
    var line = JSONLine()
    let header = session.recordingHeader
    if format == .jsonl {
      try SessionLines.write(header, session.provenance(reader), to: &line)
    } else {
      SessionLines.write(header, to: &line)
    }
    for event in events {
      SessionLines.write(event, to: &line)
      guard line.bytes.count >= Self.chunk else { continue }
      try destination.write(line.bytes, of: session.info.id)
      line.clear()
    }
    try destination.write(line.bytes, of: session.info.id)
  }
}

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
