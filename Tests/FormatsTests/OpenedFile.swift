import Formats
import Platform
import Recording

/// A file of any format but a recording, opened as the program opens it.
enum OpenedFile {
  case recording
  case rrText(RRTextFile)
  case other(FormattedFile)

  init(path: String, format: FileFormat? = nil, options: RRText.Options = .init()) throws {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { throw FileError(.empty, path: path) }
    guard let format = format ?? FileFormat(head: source.head) else { throw FormatError(.binary, path: path) }
    switch format {
    case .recording: self = .recording
    case .rr: self = .rrText(RRTextFile(source: source, options: options))
    case .jsonl: self = .other(FormattedFile(source, .jsonl) { try SessionLines.sessions(source, $0) })
    default: self = .other(FormattedFile(source, format, options))
    }
  }
}
