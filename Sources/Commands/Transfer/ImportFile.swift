import Formats
import HeartRate
import Recording
import SessionData

/// A file whose sessions go into the history.
///
/// RR text is read at once, before the history is opened for it: it may come from a pipe that takes its time, and a bad line
/// leaves no trace.
enum ImportFile {
  case recording(RecordingReader)
  case rrText(RRText)
  case other(FormattedFile)

  init(_ file: SessionFile) throws {
    switch file {
    case .recording(let reader): self = .recording(reader)
    case .rrText(let file): self = .rrText(try file.text())
    case .other(let file): self = .other(file)
    }
  }

  /// What it is written in.
  var format: FileFormat {
    switch self {
    case .recording: .recording
    case .rrText: .rr
    case .other(let file): file.format
    }
  }

  /// How much of it was read, 0 to 1, where that is known.
  var progress: Double? { if case .other(let file) = self { file.progress } else { nil } }

  /// Hands on its sessions, whatever it is. What is amiss and does not keep the rest from being read is told.
  func forEachSession(_ body: (FileSession) throws -> Void) throws {
    switch self {
    case .recording(let reader):
      let header = reader.header
      var session = FileSession(strap: header.strap, events: Array(reader.events(report: tellDamage)))
      session.header = header
      session.start = header.started.map { .absolute($0, utcOffset: nil) }
      guard session.beats > 0 else { throw FormatError(.noBeats(.recording), path: reader.path) }
      try body(session)
    case .rrText(let text):
      var session = FileSession(events: Array(text.events))
      session.skipped = text.skippedLines
      try body(session)
    case .other(let file): try file.sessions(report: tellFlaw, body)
    }
  }
}
