internal import Glibc
internal import Platform
internal import SystemPackage

/// The folder of a vault.
///
/// Paths are resolved relative to a descriptor of the folder: if it is unmounted meanwhile, nothing is written to the directory
/// below the mount point.
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

  private var base: String { "/proc/self/fd/\(descriptor.rawValue)" }

  /// The names in a directory, without names that begin with a dot, which belong to synchronisers.
  private func names(_ directory: String) -> [String] {
    Folder.names(in: base + "/" + directory).filter { !$0.hasPrefix(".") }
  }

  /// The content of `stressmon.json`.
  package func description() throws(VaultError) -> VaultDescription {
    guard let bytes = try read(VaultDescription.name, limit: 1 << 16) else { throw .invalidDescription }
    return try VaultDescription(bytes)
  }

  /// The encrypted files of keys, by name.
  package func keyFiles() throws(VaultError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names("") where KeyFile.isName(name) { files[name] = try read(name, limit: 1 << 16) }
    return files
  }

  /// The directories of devices that contain an `about.age`.
  package func devices() -> [SharedID] {
    names("").compactMap { name in
      names(name).contains(VaultName.about.text) ? SharedID(name) : nil
    }
  }

  /// The latest modification time of a file in the directory of a device, in seconds since 1970; nil without a file.
  package func lastWrite(of device: SharedID) -> Int64? {
    names(device.text).compactMap { name -> Int64? in
      var status = stat()
      guard unsafe lstat("\(base)/\(device.text)/\(name)", &status) == 0 else { return nil }
      return Int64(status.st_mtim.tv_sec)
    }.max()
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
      } else if SharedID(name) != nil {
        for file in names(name) { files["\(name)/\(file)"] = signature("\(name)/\(file)") }
      } else if let signature = signature(name) {
        files[name] = signature
      }
    }
    return (files, keys)
  }

  /// Nil for anything that is not a regular file.
  private func signature(_ name: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(base + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let values = [
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      Int(truncatingIfNeeded: status.st_ino),
    ]
    return values.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64(truncatingIfNeeded: $1)) &* 0x100_0000_01B3 }
  }

  /// The content of a regular file.
  /// - Returns: Nil if it has more than `limit` bytes.
  package func read(_ name: String, limit: Int) throws(VaultError) -> [UInt8]? {
    do throws(FileError) {
      return try readFile(name, limit: limit)
    } catch {
      throw .file(path: "\(path)/\(name)", reason: error.reason)
    }
  }

  private func readFile(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
    let full = base + "/" + name
    var status = stat()
    // A pipe or a link in the folder of another program must neither block nor lead out of it.
    guard unsafe lstat(full, &status) == 0 else { throw FileError(errno: errno, path: full) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.notRegular, path: full) }
    guard status.st_size <= limit else { return nil }
    let source = try ByteSource(path: full)
    var bytes: [UInt8] = []
    // Without growing by factors: a part of a session may have several megabytes.
    bytes.reserveCapacity(Int(status.st_size))
    while bytes.count <= limit {
      let more = try source.read(at: bytes.count, count: 1 << 16)
      if more.isEmpty { return bytes }
      bytes += more
    }
    return nil
  }

  /// Writes a file: to a temporary sibling, synced, then renamed.
  package func write(_ bytes: [UInt8], to name: String) throws(VaultError) {
    let full = base + "/" + name
    do throws(FileError) {
      if name.contains("/") { try createDirectory(Folder.parent(of: full)) }
      try OutputFile(path: full, replacing: true).write(bytes)
    } catch {
      throw .file(path: "\(path)/\(name)", reason: error.reason)
    }
  }

  private func createDirectory(_ directory: String) throws(FileError) {
    if unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
    throw FileError(errno: errno, path: directory)
  }

  /// Removes files of a device. Missing files are no error.
  package func remove(_ names: [String]) {
    for name in names { unsafe unlink(base + "/" + name) }
  }

  /// Removes the unfinished files of killed programs. Call it with the lock held.
  package func removeTemporaries(of device: SharedID) {
    let directory = device.text
    let unfinished = names(directory).filter { VaultPath("\(directory)/\($0)") == .temporary(device) }
    remove(unfinished.map { "\(directory)/\($0)" })
  }
}
