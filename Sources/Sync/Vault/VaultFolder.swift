internal import Glibc
internal import Platform
internal import SystemPackage

/// The folder of a vault.
///
/// Paths are resolved relative to a descriptor of the folder: if it is unmounted meanwhile, nothing is written to the directory
/// below the mount point. Symbolic links in the folder are not followed, because its operator could lead out of it with them.
package final class VaultFolder: Sendable {
  package let path: String
  private let descriptor: FileDescriptor

  /// - Throws: ``VaultError/noVault(path:)`` unless the folder contains `stressmon.json`.
  package init(_ path: String) throws(VaultError) {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.directory, .closeOnExec])
    } catch {
      throw (error as? Errno) == .noSuchFileOrDirectory
        ? .noVault(path: path) : .file(path: path, reason: "\((error as? Errno) ?? .ioError)")
    }
    guard names("").contains(VaultDescription.name) else { throw .noVault(path: path) }
  }

  /// Creates the files of a new vault in an existing, empty folder.
  package static func create(_ path: String, _ description: VaultDescription, key: [UInt8]) throws(VaultError)
  {
    // `stressmon.json` last: without it, the folder is not a vault.
    for (name, bytes) in [("key.age", key), (VaultDescription.name, description.bytes)] {
      do throws(FileError) {
        try OutputFile(path: "\(path)/\(name)", replacing: false).write(bytes)
      } catch {
        throw .file(path: "\(path)/\(name)", reason: error.reason)
      }
    }
  }

  deinit { try? descriptor.close() }

  /// The names in the folder, or in a directory of it, without names that begin with a dot, which belong to synchronisers. Empty if it
  /// cannot be opened, or is a link.
  private func names(_ directory: String) -> [String] {
    guard let directory = try? Directory(directory, in: descriptor) else { return [] }
    return Folder.names(in: directory.path).filter { !$0.hasPrefix(".") }
  }

  /// The content of `stressmon.json`.
  package func description() throws(VaultError) -> VaultDescription {
    guard let bytes = try read(VaultDescription.name, limit: 1 << 16) else { throw .invalidDescription }
    return try VaultDescription(bytes)
  }

  /// The encrypted files of keys, by name.
  package func keyFiles() throws(VaultError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in keyFileNames() { files[name] = try keyFile(name) }
    return files
  }

  package func keyFileNames() -> [String] { names("").filter(KeyFile.isName) }

  /// Returns `nil` if it has more than 64 KiB.
  package func keyFile(_ name: String) throws(VaultError) -> [UInt8]? { try read(name, limit: 1 << 16) }

  /// The directories of devices that contain an `about.age`.
  package func devices() -> [SharedID] {
    names("").compactMap { name in
      names(name).contains(VaultName.about.text) ? SharedID(name) : nil
    }
  }

  /// The latest modification time of a file, if any, in the directory of a device, in seconds since 1970.
  package func lastWrite(of device: SharedID) -> Int64? {
    guard let directory = try? Directory(device.text, in: descriptor) else { return nil }
    return names(device.text).compactMap { directory.status(of: $0).map { Int64($0.st_mtim.tv_sec) } }.max()
  }

  /// The files of devices with a value that changes when they change, and the names of the files of keys.
  package func listing() throws(VaultError) -> (files: [String: UInt64], keys: [String]) {
    var files: [String: UInt64] = [:]
    var keys: [String] = []
    let root = names("")
    guard root.contains(VaultDescription.name) else { throw .noVault(path: path) }
    for name in root where name != VaultDescription.name {
      if KeyFile.isName(name) {
        keys.append(name)
      } else if SharedID(name) != nil, let directory = try? Directory(name, in: descriptor) {
        for file in names(name) { files["\(name)/\(file)"] = directory.status(of: file)?.signature }
      } else if let status = try? Directory("", in: descriptor).status(of: name) {
        // A link in place of the directory of a device is reported like other foreign names.
        files[name] = SharedID(name) == nil ? status.signature : UInt64(status.st_ino)
      }
    }
    return (files, keys)
  }

  /// The content of a regular file.
  /// - Returns: `nil` if it has more than `limit` bytes.
  package func read(_ name: String, limit: Int) throws(VaultError) -> [UInt8]? {
    do throws(FileError) {
      let (directory, file) = try self.directory(of: name)
      return try directory.read(file, limit: limit)
    } catch {
      throw .file(path: "\(path)/\(name)", reason: error.reason)
    }
  }

  /// Writes a file: to a temporary sibling, synced, then renamed.
  package func write(_ bytes: [UInt8], to name: String) throws(VaultError) {
    do throws(FileError) {
      let (directory, file) = try self.directory(of: name, creating: true)
      try OutputFile(path: directory.path + "/" + file, replacing: true).write(bytes)
    } catch {
      throw .file(path: "\(path)/\(name)", reason: error.reason)
    }
  }

  /// Removes files of devices, and directories that are empty afterwards. Missing files are no error.
  package func remove(_ names: [String]) {
    for name in names {
      guard let (directory, file) = try? directory(of: name) else { continue }
      directory.remove(file)
    }
    for directory in Set(names.compactMap { $0.split(separator: "/").first.map(String.init) }) {
      _ = unsafe unlinkat(descriptor.rawValue, directory, AT_REMOVEDIR)
    }
  }

  /// The directory of `name`, which is a name in the folder or `directory/name`, and the name in it.
  private func directory(
    of name: String, creating: Bool = false
  ) throws(FileError) -> (directory: Directory, file: String) {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return (try Directory("", in: descriptor), name) }
    return (try Directory(parts[0], in: descriptor, creating: creating), parts[1])
  }

  /// Removes the unfinished files of killed programs. Call it with the lock held.
  package func removeTemporaries(of device: SharedID) {
    let directory = device.text
    let unfinished = names(directory).filter { VaultPath("\(directory)/\($0)") == .temporary(device) }
    remove(unfinished.map { "\(directory)/\($0)" })
  }
}

/// An open directory of the folder.
private final class Directory {
  private let descriptor: CInt

  /// - Parameters:
  ///   - name: Empty for the folder itself.
  ///   - creating: Whether a missing directory is created (mode 0700).
  /// - Throws: `ENOTDIR` for a link.
  init(_ name: String, in folder: FileDescriptor, creating: Bool = false) throws(FileError) {
    if creating, unsafe mkdirat(folder.rawValue, name, 0o700) != 0, errno != EEXIST {
      throw FileError(errno: errno, path: name)
    }
    descriptor = unsafe openat(
      folder.rawValue, name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, path: name) }
  }

  deinit { close(descriptor) }

  /// A path that remains valid if the directory is moved.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Of a link, its own status.
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

  /// The content of a regular file of at most `limit` bytes. Returns `nil` for a longer one.
  ///
  /// The file is examined after it was opened, because another program could replace it in between. A pipe does not block.
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
    let opened = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else {
      throw errno == ELOOP ? FileError(.notRegular, path: name) : FileError(errno: errno, path: name)
    }
    defer { close(opened) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else { throw FileError(errno: errno, path: name) }
    guard status.isRegular else { throw FileError(.notRegular, path: name) }
    guard status.st_size <= limit else { return nil }
    return try Self.readAll(FileDescriptor(rawValue: opened), size: Int(status.st_size), limit: limit, name)
  }

  private static func readAll(
    _ file: FileDescriptor, size: Int, limit: Int, _ name: String
  ) throws(FileError) -> [UInt8]? {
    var bytes: [UInt8] = []
    // Without growing by factors: a part of a session may have several megabytes.
    bytes.reserveCapacity(size)
    while bytes.count <= limit {
      let more = try FileError.mapping(path: name) {
        try unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
      if more.isEmpty { return bytes }
      bytes += more
    }
    return nil
  }
}

extension stat {
  fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }

  /// A value that changes when the file changes. Only regular files have one.
  fileprivate var signature: UInt64? {
    guard isRegular else { return nil }
    let values = [Int(st_size), st_mtim.tv_sec, st_mtim.tv_nsec, Int(truncatingIfNeeded: st_ino)]
    return values.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64(truncatingIfNeeded: $1)) &* 0x100_0000_01B3 }
  }
}
