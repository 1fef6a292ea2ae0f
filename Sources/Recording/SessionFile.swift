/// A file with a session in it, told by what it holds rather than by its name.
public enum SessionFile: Sendable {
  case recording(RecordingReader)
  case rrText(RRText)

  /// RR text larger than this is refused: some three years of beats.
  static let largestText = 512 << 20

  /// Opens a recording, or reads text with one RR interval per line; `-` is standard input.
  /// - Throws: ``RecordingError``, which says what the file is not and what to do about it.
  public init(path: String, options: RRText.Options = RRText.Options()) throws(RecordingError) {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { throw RecordingError(.empty, path: source.path) }
    if source.head.first(where: { $0 > 0x20 && !Self.byteOrderMark.contains($0) }) == UInt8(ascii: "{") {
      self = .recording(try RecordingReader(source))
      return
    }
    guard !source.head.contains(where: Self.isBinary) else {
      throw RecordingError(.binary, path: source.path)
    }
    self = .rrText(try Self.text(source, options))
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Control characters that no text has.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0C && byte != 0x0D
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
