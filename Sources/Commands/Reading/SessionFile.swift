import Formats
import Platform
import Recording

/// A file with sessions. Its format is detected from its content, not from its name.
enum SessionFile: Sendable {
  case recording(RecordingReader)
  case rrText(RRTextFile)
  /// One session or several, in any other format.
  case other(FormattedFile)

  /// Opens a file; `-` is standard input.
  /// - Parameter format: the format; nil to detect it from the first bytes.
  /// - Throws: `FileError`, `RecordingError` or `FormatError`. Errors after the beginning of RR text or of an ``other(_:)``
  ///   are thrown when the content is read.
  init(path: String, format: FileFormat? = nil, options: RRText.Options = RRText.Options()) throws {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { throw FileError(.empty, path: source.path) }
    guard var format = format ?? FileFormat(head: source.head) else {
      throw FormatError(.binary, path: source.path)
    }
    if options.column != nil, format.isTable { format = .rr }
    switch format {
    case .recording: self = .recording(try RecordingReader(source))
    case .rr: self = .rrText(RRTextFile(source: source, options: options))
    case .jsonl: self = .other(FormattedFile(source, .jsonl) { try SessionLines.sessions(source, $0) })
    case .backup: throw FormatError(.wholeHistory, path: source.path)
    default: self = .other(FormattedFile(source, format, options))
    }
  }
}
