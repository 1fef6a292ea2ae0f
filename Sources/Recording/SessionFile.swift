/// A file with sessions in it, told by what it holds rather than by its name.
public enum SessionFile: Sendable {
  case recording(RecordingReader)
  case rrText(RRText)
  /// One session or several, in any other format.
  case other(FormattedFile)

  /// RR text larger than this is refused: some three years of beats.
  static let largestText = 512 << 20

  /// Opens a file; `-` is standard input.
  /// - Parameter format: What the file is taken for; nil: for what its first bytes say.
  /// - Throws: ``RecordingError``, which says what the file is not and what to do about it. What is wrong behind the
  ///   beginning of an ``other(_:)`` is said when its sessions are read.
  public init(
    path: String, format: FileFormat? = nil, options: RRText.Options = RRText.Options()
  ) throws(RecordingError) {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { throw RecordingError(.empty, path: source.path) }
    guard let format = format ?? FileFormat(head: source.head) else {
      throw RecordingError(.binary, path: source.path)
    }
    switch format {
    case .recording: self = .recording(try RecordingReader(source))
    case .rr: self = .rrText(try Self.text(source, options))
    case .backup: throw RecordingError(.wholeHistory, path: source.path)
    default: self = .other(FormattedFile(format: format, source: source, options: options))
    }
  }

  private static func text(_ source: ByteSource, _ options: RRText.Options) throws(RecordingError) -> RRText {
    let bytes = try source.readAll(limit: largestText)
    let text: RRText
    do throws(RRText.BadLine) {
      text = try RRText(bytes, options: options)
    } catch {
      throw RecordingError(.badLine(error), path: source.path)
    }
    guard !text.intervals.isEmpty else { throw RecordingError(.noIntervals, path: source.path) }
    return text
  }
}

extension ByteSource {
  /// The whole of it, at most `limit` bytes.
  fileprivate func readAll(limit: Int) throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the file has, so that the last read finds the end.
    var chunk = (size ?? 1 << 16) + 1
    while true {
      guard bytes.count <= limit, chunk <= limit + 1 else {
        throw RecordingError(.tooLarge(limit: limit), path: path)
      }
      let more = try read(at: bytes.count, count: chunk)
      if more.isEmpty { return bytes }
      if bytes.isEmpty { bytes = more } else { bytes += more }
      chunk = max(1 << 16, (size ?? 0) - bytes.count + 1)
    }
  }
}
