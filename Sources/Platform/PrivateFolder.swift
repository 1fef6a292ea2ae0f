import Glibc

extension Folder {
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
