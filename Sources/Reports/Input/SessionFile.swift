package import Formats
package import Platform
package import Recording
import SessionData

/// A file with sessions. Its format is detected from its content, not from its name.
package enum SessionFile: Sendable {
  case recording(RecordingReader)
  case rrText(RRTextFile)
  /// One session or several, in any other format.
  case other(FormattedFile)

  /// Opens a file; `-` is standard input.
  /// - Parameter format: the format. By default, it is detected from the first bytes.
  /// - Throws: `FileError`, `RecordingError` or `FormatError`. Errors after the beginning of RR text or of an ``other(_:)``
  ///   are thrown when the content is read.
  package init(path: String, format: FileFormat? = nil, options: RRText.Options = RRText.Options()) throws {
    try self.init(
      ByteSource(path: FormattedFile.datasetDescription(in: path) ?? path), format: format, options: options)
  }

  /// Reads an open file.
  package init(_ source: ByteSource, format: FileFormat? = nil, options: RRText.Options = RRText.Options())
    throws
  {
    guard !source.head.isEmpty else { throw FileError(.empty, path: source.path) }
    guard var format = format ?? FileFormat(head: source.head) else {
      throw FormatError(.binary, path: source.path)
    }
    if options.column != nil || options.timeColumn != nil, format.isTable { format = .rr }
    switch format {
    case .recording: self = .recording(try Self.recording(source))
    case .rr: self = .rrText(RRTextFile(source: source, options: options))
    case .jsonl:
      self = .other(
        FormattedFile(source, .jsonl) { body in
          try source.countingFirst(bytesPerBeat: RecordingReader.fewestBytesPerBeat) { mode in
            try SessionLines.sessions(source, mode: mode) { if mode.keepsEvents { try body($0) } }
          }
        })
    case .backup: throw FormatError(.wholeHistory, path: source.path)
    default: self = .other(FormattedFile(source, format, options))
    }
  }

  /// - Throws: `FormatError` for a recording with too many beats, if the file can be read twice.
  private static func recording(_ source: ByteSource) throws -> RecordingReader {
    let reader = try RecordingReader(source)
    do {
      try source.countingFirst(bytesPerBeat: RecordingReader.fewestBytesPerBeat) { mode in
        if !mode.keepsEvents { try reader.countBeats() }
      }
    } catch let error as TooManyBeats {
      throw FormatError(.tooManyBeats(limit: error.limit), path: source.path)
    }
    return reader
  }

  package var format: FileFormat {
    switch self {
    case .recording: .recording
    case .rrText: .rr
    case .other(let file): file.format
    }
  }
}

extension SessionFile {
  /// Receives each problem of a file that does not prevent reading the rest, as text.
  package typealias Report = @Sendable (String) -> Void

  /// The session of a file that contains exactly one. RR text is read completely; a recording is read while its events are
  /// iterated.
  /// - Throws: `FormatError`, also for several sessions.
  package func onlySession(report: @escaping Report) throws -> OpenedSession {
    switch self {
    case .recording(let reader): OpenedSession(reader, report: report)
    case .rrText(let file): OpenedSession(try file.text())
    case .other(let file): OpenedSession(try file.onlySession(report: report), file.format)
    }
  }

  /// Calls `body` with each session, in the order of the file.
  /// - Throws: `FormatError`; errors of `body`.
  package func forEachSession(report: @escaping Report, _ body: (OpenedSession) throws -> Void) throws {
    guard case .other(let file) = self else { return try body(onlySession(report: report)) }
    try file.sessions(report: report) { try body(OpenedSession($0, file.format)) }
  }
}
