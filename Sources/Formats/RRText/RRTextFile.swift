import HeartRate
package import Platform

/// A text file with RR intervals, which is read on request.
///
/// The file is read in chunks: memory depends on the resulting series, not on the size of the file. A pipe is kept in memory,
/// because unit and layout depend on all lines and a pipe cannot be read twice.
package struct RRTextFile: Sendable {
  private let source: ByteSource
  private let options: RRText.Options

  package init(source: ByteSource, options: RRText.Options) {
    self.source = source
    self.options = options
  }

  /// Limit of the file size in bytes: about three years of beats. A larger file is an error.
  static let largest = 512 << 20
  /// Size of a chunk in bytes, chosen so that its intervals fit in the L1 cache.
  private static let chunkLength = 1 << 14

  /// All intervals. Call once.
  /// - Throws: as ``read(_:)``.
  package func text() throws -> RRText { RRText(try read([RRInterval].self)) }

  /// The intervals as a series. Call once.
  /// - Throws: ``FormatError`` if the file cannot be read, contains a line that is not an RR interval (unless such lines are
  ///   skipped), or contains no interval.
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
      // The file can grow while it is read.
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
