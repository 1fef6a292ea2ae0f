import Glibc

/// A file with results, which only its owner may read (0600), and which comes whole or not at all.
public struct OutputFile: Sendable {
  public let path: String
  private let file: PlacedFile

  /// Makes the file, before the work whose results it is to hold.
  /// - Throws: `exists` where one of that name is there and `replacing` is false.
  public init(path: String, replacing: Bool) throws(RecordingError) {
    self.path = path
    file = try PlacedFile(path: path, replacing: replacing)
  }

  /// Writes all of it and gives it its name. Where that fails, what was there before stays.
  public consuming func write(_ bytes: [UInt8]) throws(RecordingError) {
    do throws(RecordingError) {
      try append(bytes)
    } catch {
      discard()
      throw error
    }
    try finish()
  }

  /// Writes some of it.
  public func append(_ bytes: [UInt8]) throws(RecordingError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw RecordingError(errno: count < 0 ? errno : ENOSPC, path: path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Gives it its name: it is whole. Where that fails, what was there before stays.
  public consuming func finish() throws(RecordingError) {
    do throws(RecordingError) {
      try file.place()
    } catch {
      discard()
      throw error
    }
  }

  /// Takes the file away again: there is nothing to write.
  public consuming func discard() { file.discard() }
}
