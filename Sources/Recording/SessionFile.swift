/// A file with sessions in it, told by what it holds rather than by its name.
public enum SessionFile: Sendable {
  case recording(RecordingReader)
  case rrText(RRTextFile)
  /// One session or several, in any other format.
  case other(FormattedFile)

  /// Opens a file; `-` is standard input.
  /// - Parameter format: What the file is taken for; nil: for what its first bytes say.
  /// - Throws: ``RecordingError``, which says what the file is not and what to do about it. What is wrong behind the
  ///   beginning of RR text or of an ``other(_:)`` is said when that is read.
  public init(
    path: String, format: FileFormat? = nil, options: RRText.Options = RRText.Options()
  ) throws(RecordingError) {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { throw RecordingError(.empty, path: source.path) }
    guard var format = format ?? FileFormat(head: source.head) else {
      throw RecordingError(.binary, path: source.path)
    }
    if options.column != nil, format.isTable { format = .rr }
    switch format {
    case .recording: self = .recording(try RecordingReader(source))
    case .rr: self = .rrText(RRTextFile(source: source, options: options))
    case .backup: throw RecordingError(.wholeHistory, path: source.path)
    default: self = .other(FormattedFile(format: format, source: source, options: options))
    }
  }
}
