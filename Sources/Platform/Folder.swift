import Glibc
import SystemPackage

/// Operations on folders.
package enum Folder {
  /// The folder that contains `path`: `.` for a plain file name.
  package static func parent(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent()
    return folder.isEmpty ? "." : folder.string
  }

  /// Creates `folder` and its missing parents, readable by the owner only (mode 0700). Does nothing if it exists.
  package static func create(_ folder: String) throws(FileError) {
    if unsafe mkdir(folder, 0o700) == 0 { return }
    switch errno {
    case ENOENT:
      guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
      try create(String(folder[..<slash]))
      if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    // A read-only file system reports EROFS even if the folder exists.
    default: if isFolder(folder) { return }
    }
    throw FileError(errno: errno, path: folder)
  }

  /// The names of the files in a folder, in alphabetical order; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes the names of the files in a folder durable (fsync of the folder).
  static func sync(_ folder: String) throws(FileError) {
    let opened = try FileError.mapping(path: folder) {
      try FileDescriptor.open(FilePath(folder), .readOnly, options: [.directory, .closeOnExec])
    }
    defer { try? opened.close() }
    // Some file systems cannot sync a folder and return EINVAL.
    guard fsync(opened.rawValue) == 0 || errno == EINVAL else { throw FileError(errno: errno, path: folder) }
  }

  /// Leaves `errno` unchanged.
  private static func isFolder(_ path: String) -> Bool {
    let before = errno
    defer { errno = before }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
