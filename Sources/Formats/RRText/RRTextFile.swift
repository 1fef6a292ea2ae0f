import HeartRate
package import Platform

/// A text with RR intervals, which is read when its intervals are asked for.
///
/// It is read in chunks, so that memory grows with the series that the intervals go into and not with the file. A pipe is
/// kept in memory as a whole: unit and layout depend on all lines, and a pipe cannot be read twice.
package struct RRTextFile: Sendable {
  private let source: ByteSource
  private let options: RRText.Options

  package init(source: ByteSource, options: RRText.Options) {
    self.source = source
    self.options = options
  }

  /// A larger file is refused: some three years of beats.
  static let largest = 512 << 20
  /// What is read at once: what it comes to stays in the fastest memory.
  private static let chunkLength = 1 << 14

  /// All intervals. To be asked for once.
  /// - Throws: As ``read(_:)``.
  package func text() throws -> RRText { RRText(try read([RRInterval].self)) }

  /// The intervals in a series of that kind. To be asked for once.
  /// - Throws: ``FormatError`` where the file cannot be read, has a line that is no RR interval (unless such lines are
  ///   skipped) or no interval at all.
  package func read<Series: IntervalSeries>(_: Series.Type) throws -> RRText.Reading<Series> {
    guard source.size ?? 0 <= Self.largest else { throw tooLarge }
    let pipe = source.size == nil ? try readPipe() : nil
    let result: Result<RRText.Reading<Series>, RRText.BadLine> =
      try RRText.read(options, length: pipe?.count ?? source.size ?? 0) { (take) throws in
        if let pipe { take(pipe) } else { try pass(to: take) }
      }
    switch result {
    case .failure(let line): throw FormatError(.badLine(line), path: source.path)
    case .success(let reading) where reading.count == 0:
      throw FormatError(.noIntervals, path: source.path)
    case .success(let reading): return reading
    }
  }

  private func pass(to take: ([UInt8]) -> Void) throws {
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

  private func readPipe() throws -> [UInt8] {
    guard let bytes = try source.readAll(limit: Self.largest) else { throw tooLarge }
    return bytes
  }

  private var tooLarge: FormatError { FormatError(.tooLarge(limit: Self.largest), path: source.path) }
}
