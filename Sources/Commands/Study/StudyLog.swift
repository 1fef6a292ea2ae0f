import Glibc
import Platform
import Synchronization

/// The rows of a run that is not complete yet: a file that contains them as soon as they are known. Thread-safe.
///
/// A failure to write is reported by ``close()``; the run itself continues.
final class StudyLog: Sendable {
  private let file: NewFile
  private let failure = Mutex<FileError?>(nil)

  /// Creates the file, or empties it.
  init(path: String) throws(FileError) {
    try Self.remove(path)
    file = try NewFile(path: path, replacing: false, appears: .immediate)
  }

  func append(_ text: String) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do throws(FileError) {
        try file.write(Array(text.utf8))
      } catch {
        failure = error
      }
    }
  }

  func close() throws(FileError) {
    file.close()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileError(errno: errno, path: path) }
  }
}
