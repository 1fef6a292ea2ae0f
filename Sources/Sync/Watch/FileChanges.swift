internal import Glibc
package import Platform

/// Reports changes in directories (inotify).
///
/// Directories of the vault's devices are watched from their creation. A directory that is unmounted or replaced is watched again
/// by the next ``update()``.
package final class FileChanges {
  /// Readable when a change was reported.
  package let descriptor: CInt
  private let folder: String
  private let others: [String]
  /// The path of each watch.
  private var watches: [CInt: String] = [:]

  private static let written = UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
  /// A synchroniser completes a file by closing or renaming it.
  private static let anything =
    written | UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)

  /// - Parameters:
  ///   - folder: The folder of a vault.
  ///   - others: Directories of databases: their subdirectories are not watched, and programs that only read have no effect.
  /// - Throws: ``FileError`` if the system provides no inotify instance.
  package init(vault folder: String, others: [String]) throws(FileError) {
    (self.folder, self.others) = (folder, others)
    descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw FileError(errno: errno, path: folder) }
    update()
  }

  deinit { close(descriptor) }

  /// Watches directories that were created or mounted. Missing directories are ignored.
  package func update() {
    let devices = Folder.names(in: folder).filter { SharedID($0) != nil }.map { "\(folder)/\($0)" }
    for path in [folder] + devices { add(path, Self.anything) }
    for path in others { add(path, Self.written) }
  }

  private func add(_ path: String, _ events: UInt32) {
    let watch = unsafe inotify_add_watch(descriptor, path, events)
    if watch >= 0 { watches[watch] = path }
  }

  /// Removes the reported changes.
  /// - Returns: The paths that changed.
  package func take() -> Set<String> {
    var paths: Set<String> = []
    while let more = readEvents() { paths.formUnion(more) }
    return paths
  }

  /// The paths of the next events, if there are any.
  ///
  ///     0       4      8        12      16
  ///     | watch | mask | cookie | length | name, padded with zeros to `length` |
  private func readEvents() -> [String]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    var paths: [String] = []
    var start = 0
    while start + 16 <= count {
      let (watch, mask) = (Self.word(buffer, start), Self.word(buffer, start + 4))
      let length = Int(Self.word(buffer, start + 12))
      let name = buffer[(start + 16)..<min(count, start + 16 + length)].prefix { $0 != 0 }
      paths.append(
        path(watch: CInt(bitPattern: watch), mask: mask, name: String(decoding: name, as: UTF8.self)))
      start += 16 + length
    }
    return paths
  }

  private func path(watch: CInt, mask: UInt32, name: String) -> String {
    let directory = watches[watch] ?? folder
    if mask & UInt32(IN_IGNORED) != 0 { watches[watch] = nil }
    return name.isEmpty ? directory : "\(directory)/\(name)"
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
