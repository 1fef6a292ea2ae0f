import HeartRate
package import Platform
package import SessionData

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
  /// Size of a chunk in bytes. The intervals of a chunk fit in the L1 cache.
  private static let chunkLength = 1 << 14

  /// All intervals. Call once.
  /// - Throws: as ``read(_:)``.
  package func text() throws -> RRText { RRText(try read([RRInterval].self)) }

  /// The intervals as the events of a session. Call once.
  /// - Throws: as ``read(_:)``.
  package func session() throws -> FileSession {
    var reading = try read(EventSeries.self)
    reading.series.end()
    var session = FileSession(start: reading.start, events: reading.series.events)
    session.skipped = reading.skippedLines
    return session
  }

  /// The intervals as a series. Call once.
  /// - Throws: ``FormatError`` if the file cannot be read, contains a line that is not an RR interval (unless such lines are
  ///   skipped), or contains no interval.
  package func read<Series: IntervalSeries>(_: Series.Type) throws -> RRText.Reading<Series> {
    guard source.size ?? 0 <= Self.largest else { throw tooLarge }
    let pipe = source.size == nil ? try readPipe() : nil
    let length = pipe?.reduce(0) { $0 + $1.count } ?? source.size ?? 0
    // A line has at least two bytes. Counting needs no memory.
    if length > 2 * options.mostBeats { try limit(parse(pipe, length) as RRText.Reading<IntervalCount>) }
    let reading: RRText.Reading<Series> = try parse(pipe, length)
    guard reading.count > 0 else { throw FormatError(.noIntervals, path: source.path) }
    return reading
  }

  private func limit(_ reading: RRText.Reading<IntervalCount>) throws(FormatError) {
    guard reading.count <= options.mostBeats else {
      throw FormatError(.tooManyBeats(limit: options.mostBeats), path: source.path)
    }
  }

  private func parse<Series: IntervalSeries>(
    _ pipe: [[UInt8]]?, _ length: Int
  ) throws -> RRText.Reading<Series> {
    let result: Result<RRText.Reading<Series>, RRText.BadLine> =
      try RRText.read(options, length: length) { (take) throws in
        if let pipe { pipe.forEach(take) } else { try pass(to: take) }
      }
    do throws(RRText.BadLine) {
      return try result.get()
    } catch {
      throw FormatError(.badLine(error), path: source.path)
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

  /// All bytes of a pipe in chunks, up to the first line that is too long.
  private func readPipe() throws -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var (length, lineStart) = (0, 0)
    while length - lineStart <= 2 * RRText.longestLine {
      let chunk = try source.read(at: length, count: Self.chunkLength)
      if chunk.isEmpty { break }
      if let feed = chunk.lastIndex(of: UInt8(ascii: "\n")) { lineStart = length + feed + 1 }
      length += chunk.count
      guard length <= Self.largest else { throw tooLarge }
      chunks.append(chunk)
    }
    return chunks
  }

  private var tooLarge: FormatError { FormatError(.tooLarge(limit: Self.largest), path: source.path) }
}
