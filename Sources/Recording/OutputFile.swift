import Glibc

/// A file with results, which only its owner may read (0600), and which comes whole or not at all.
public struct OutputFile {
  private let path: String
  private let file: NewFile

  /// Makes the file, before the work whose results it is to hold.
  /// - Throws: `exists` where one of that name is there and `replacing` is false.
  public init(path: String, replacing: Bool) throws(RecordingError) {
    self.path = path
    file = try NewFile(path: path, replacing: replacing)
  }

  /// Writes all of it and gives it its name. Where that fails, what was there before stays.
  public consuming func write(_ bytes: [UInt8]) throws(RecordingError) {
    do throws(RecordingError) {
      try put(bytes[...])
      try file.commit()
      close(file.descriptor)
    } catch {
      discard()
      throw error
    }
  }

  /// Takes the file away again: there is nothing to write.
  public consuming func discard() {
    close(file.descriptor)
    file.undo()
  }

  private func put(_ bytes: ArraySlice<UInt8>) throws(RecordingError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw RecordingError(errno: count < 0 ? errno : ENOSPC, path: path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file.descriptor) == 0 || errno == EINVAL else {
      throw RecordingError(errno: errno, path: path)
    }
  }
}
