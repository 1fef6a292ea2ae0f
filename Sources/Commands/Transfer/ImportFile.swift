import Formats
import Recording
import Reports
import SessionData

/// A file whose sessions are imported into the history.
///
/// RR text is read completely before the history is opened, because a pipe can be slow, and a bad line must not create
/// a history.
enum ImportFile {
  case single(OpenedSession, path: String)
  case formatted(FormattedFile)

  init(_ file: SessionFile) throws {
    switch file {
    case .other(let file): self = .formatted(file)
    case .recording(let reader):
      self = .single(try file.onlySession(report: reportProblem), path: reader.path)
    case .rrText(let text): self = .single(OpenedSession(try text.session(), .rr), path: "")
    }
  }

  var format: FileFormat {
    switch self {
    case .single(let session, _): session.format
    case .formatted(let file): file.format
    }
  }

  /// Fraction of the file that was read, 0 to 1, if its size is known.
  var progress: Double? { if case .formatted(let file) = self { file.progress } else { nil } }

  /// Calls `body` with each session, and reports problems that do not prevent reading the rest.
  func forEachSession(_ body: (FileSession) throws -> Void) throws {
    switch self {
    case .single(let opened, let path):
      let session = opened.fileSession
      guard session.beats > 0 else {
        throw FormatError(.noBeats(session.header == nil ? .rr : .recording), path: path)
      }
      try body(session)
    case .formatted(let file): try file.sessions(report: reportProblem, body)
    }
  }
}
