import Glibc
package import SystemPackage

/// Creates a file, or a temporary sibling when replacing an existing one. Only its owner can read it (mode 0600).
///
/// Nothing is overwritten before ``commit()``: a crash leaves the old file or the new one.
package struct NewFile: Sendable {
  /// The time at which the file gets its final name.
  package enum Appearance: Sendable {
    /// On creation, unless it replaces an existing file.
    case immediate
    /// On ``commit()``.
    case onCommit
  }

  package let path: String
  /// The path until ``commit()``; equal to the final path if the file has that from its creation.
  package let currentPath: String
  package let descriptor: FileDescriptor
  private let replacing: Bool

  /// Creates the file, empty, open for appending.
  /// - Throws: `exists` if the file exists and `replacing` is false; `isDirectory` or `notRegular` if the path names
  ///   something other than a regular file.
  package init(path: String, replacing: Bool, appears appearance: Appearance) throws(FileError) {
    self.path = path
    self.replacing = replacing
    let exists = unsafe access(path, F_OK) == 0
    if exists {
      try Self.checkIsRegular(path)
      guard replacing else { throw FileError(.exists, path: path) }
    }
    currentPath = exists || appearance == .onCommit ? "\(path).\(getpid()).new" : path
    do {
      descriptor = try FileDescriptor.open(
        FilePath(currentPath), .writeOnly, options: [.create, .exclusiveCreate, .append, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch {
      let code = (error as? Errno) ?? .ioError
      let error = FileError(errno: code.rawValue, path: code == .fileExists ? currentPath : path)
      // Only a regular file is reported as an existing file: --force replaces nothing else.
      if error.code == .exists, currentPath == path { try Self.checkIsRegular(path) }
      throw error
    }
  }

  /// Appends all of `bytes`.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    if let failure = descriptor.append(bytes[...]).failure {
      throw FileError(errno: failure.rawValue, path: path)
    }
  }

  /// Makes the content durable.
  package func sync() throws(FileError) {
    // A file system without fsync returns EINVAL.
    guard fsync(descriptor.rawValue) == 0 || errno == EINVAL else {
      throw FileError(errno: errno, path: path)
    }
  }

  /// Gives the file its final name and, by default, makes the name durable. The descriptor stays open.
  /// - Throws: `exists` if another file took the name in the meantime and `replacing` is false.
  package func commit(isDurable: Bool = true) throws(FileError) {
    if currentPath != path {
      let isLinked = replacing ? false : try link()
      if !isLinked, unsafe rename(currentPath, path) != 0 { throw FileError(errno: errno, path: path) }
    }
    if isDurable { try Folder.sync(Folder.parent(of: path)) }
  }

  /// Closes the descriptor.
  package func close() { try? descriptor.close() }

  /// Removes the file before ``commit()``. The descriptor stays open.
  package func remove() { unsafe unlink(currentPath) }

  /// False if the file system has no hard links.
  private func link() throws(FileError) -> Bool {
    if unsafe Glibc.link(currentPath, path) == 0 {
      unsafe unlink(currentPath)
      return true
    }
    if errno == EEXIST { throw FileError(.exists, path: path) }
    return false
  }

  private static func checkIsRegular(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError(errno: errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw FileError(.isDirectory, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.notRegular, path: path) }
  }
}

extension FileDescriptor {
  /// Writes all of `bytes`.
  /// - Returns: The bytes that were not written, and the error.
  func append(_ bytes: ArraySlice<UInt8>) -> (rest: ArraySlice<UInt8>, failure: Errno?) {
    var rest = bytes
    while !rest.isEmpty {
      do {
        let count = try unsafe rest.withUnsafeBytes { try unsafe write($0) }
        guard count > 0 else { return (rest, .noSpace) }
        rest = rest.dropFirst(count)
      } catch {
        return (rest, (error as? Errno) ?? .ioError)
      }
    }
    return (rest, nil)
  }
}
