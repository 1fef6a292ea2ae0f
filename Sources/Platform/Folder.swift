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

  /// Creates a folder that only this user can access (mode 0700), or verifies an existing one and corrects its mode.
  /// - Throws: `notPermitted` for a folder of another user and for a symbolic link, which that user could redirect.
  package static func createPrivate(_ folder: String) throws(FileError) {
    try create(folder)
    let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else {
      let isLink = errno == ELOOP || errno == ENOTDIR
      throw isLink ? FileError(.notPermitted, path: folder) : FileError(errno: errno, path: folder)
    }
    defer { close(opened) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else { throw FileError(errno: errno, path: folder) }
    guard status.st_uid == geteuid() else { throw FileError(.notPermitted, path: folder) }
    if status.st_mode & 0o777 != 0o700, fchmod(opened, 0o700) != 0 {
      throw FileError(errno: errno, path: folder)
    }
  }

  /// Creates a folder `stressmon-PURPOSE-XXXXXX` (mode 0700) in ``temporary``.
  package static func createTemporary(for purpose: String) throws(FileError) -> String {
    var path = Array("\(temporary)/stressmon-\(purpose)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&path) != nil else { throw FileError(errno: errno, path: temporary) }
    return String(decoding: path.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  /// TMPDIR, else `/tmp`.
  package static var temporary: String { ProcessEnvironment.current["TMPDIR"] ?? "/tmp" }

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
  package static func isFolder(_ path: String) -> Bool {
    let before = errno
    defer { errno = before }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension ProcessEnvironment {
  /// A folder in the runtime folder, created and verified as by ``Folder/createPrivate(_:)``, as are the folders above it up
  /// to the runtime folder. Without XDG_RUNTIME_DIR, another user can create the runtime folder first.
  package func privateFolder(_ names: String...) throws(FileError) -> String {
    var folder = runtimeFolder
    try Folder.createPrivate(folder)
    for name in names {
      folder += "/" + name
      try Folder.createPrivate(folder)
    }
    return folder
  }
}

extension Folder {
  /// The directory of the running program.
  package static var ofProgram: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, unsafe readlink("/proc/self/exe", &path, path.count))
    return parent(
      of: String(decoding: path.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
  }
}
