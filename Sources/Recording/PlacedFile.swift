import Glibc

/// A file that is made beside its place and takes it when it is whole: killed meanwhile, it was never there. Its owner alone
/// may read it (0600).
public struct PlacedFile: Sendable {
  private let path: String
  private let replacing: Bool
  /// Where it lies until then.
  public let temporaryPath: String
  let descriptor: CInt

  /// Makes the file, empty.
  /// - Throws: `exists` where one of that name is there and `replacing` is false.
  public init(path: String, replacing: Bool) throws(RecordingError) {
    self.path = path
    self.replacing = replacing
    temporaryPath = "\(path).\(getpid()).new"
    if access(path, F_OK) == 0 {
      try NewFile.checkIsRegular(path)
      guard replacing else { throw RecordingError(.exists, path: path) }
    }
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RecordingError(errno: errno, path: errno == EEXIST ? temporaryPath : path)
    }
  }

  /// Makes its content and its name durable.
  public func place() throws(RecordingError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw RecordingError(errno: errno, path: path) }
    let isLinked = replacing ? false : try link()
    if !isLinked {
      guard rename(temporaryPath, path) == 0 else { throw RecordingError(errno: errno, path: path) }
    }
    close(descriptor)
    try NewFile.syncFolder(of: path)
  }

  /// Takes the file away again.
  public func discard() {
    close(descriptor)
    unlink(temporaryPath)
  }

  /// Gives it its name unless somebody else made a file of that name meanwhile. False where the file system has no links.
  private func link() throws(RecordingError) -> Bool {
    if Glibc.link(temporaryPath, path) == 0 {
      unlink(temporaryPath)
      return true
    }
    if errno == EEXIST { throw RecordingError(.exists, path: path) }
    return false
  }
}
