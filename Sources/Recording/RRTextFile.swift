import HeartRate

/// A text with RR intervals, which is read when its intervals are asked for.
///
/// It is read in chunks, so that memory grows with the series that the intervals go into and not with the file. A pipe is
/// kept in memory as a whole: unit and layout depend on all lines, and a pipe cannot be read twice.
public struct RRTextFile: Sendable {
  let source: ByteSource
  let options: RRText.Options

  /// A larger file is refused: some three years of beats.
  static let largest = 512 << 20
  /// What is read at once: what it comes to stays in the fastest memory.
  private static let chunkLength = 1 << 14

  /// All intervals. To be asked for once.
  /// - Throws: As ``read(_:)``.
  public func text() throws(RecordingError) -> RRText { RRText(try read([RRInterval].self)) }

  /// The intervals in a series of that kind. To be asked for once.
  /// - Throws: ``RecordingError`` where the file cannot be read, has a line that is no RR interval (unless such lines are
  ///   skipped) or no interval at all.
  public func read<Series: IntervalSeries>(_: Series.Type) throws(RecordingError) -> RRText.Reading<Series> {
    guard source.size ?? 0 <= Self.largest else { throw tooLarge }
    let pipe = source.size == nil ? try source.readAll(limit: Self.largest) : nil
    let result: Result<RRText.Reading<Series>, RRText.BadLine> =
      try RRText.read(options, length: pipe?.count ?? source.size ?? 0) { (take) throws(RecordingError) in
        if let pipe { take(pipe) } else { try pass(to: take) }
      }
    switch result {
    case .failure(let line): throw RecordingError(.badLine(line), path: source.path)
    case .success(let reading) where reading.count == 0:
      throw RecordingError(.noIntervals, path: source.path)
    case .success(let reading): return reading
    }
  }

  private func pass(to take: ([UInt8]) -> Void) throws(RecordingError) {
    var offset = 0
    while true {
      let chunk = try source.read(at: offset, count: Self.chunkLength)
      if chunk.isEmpty { return }
      offset += chunk.count
      // The file may grow meanwhile.
      guard offset <= Self.largest else { throw tooLarge }
      take(chunk)
    }
  }

  private var tooLarge: RecordingError { RecordingError(.tooLarge(limit: Self.largest), path: source.path) }
}

extension ByteSource {
  /// The whole of a pipe, at most `limit` bytes.
  fileprivate func readAll(limit: Int) throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try read(at: bytes.count, count: 1 << 16)
      if more.isEmpty { return bytes }
      bytes += more
      guard bytes.count <= limit else { throw RecordingError(.tooLarge(limit: limit), path: path) }
    }
  }
}
