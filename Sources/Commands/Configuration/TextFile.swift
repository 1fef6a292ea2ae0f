import Glibc
import Platform

/// A small private text file that is read and replaced as a whole.
enum TextFile {
  /// Limit in bytes; a larger file is not a configuration.
  private static let limit = 1 << 20

  /// The text of the file, if it exists.
  static func read(_ path: String) throws(ConfigurationError) -> String? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try ByteSource(path: path).readAll(limit: limit)
    } catch {
      if error.errno == ENOENT { return nil }
      throw .unreadable(path, error.reason)
    }
    guard let bytes else { throw .tooLarge(path, mebibytes: limit >> 20) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path)
    }
    return text
  }

  /// Replaces the file atomically (mode 0600): a crash leaves the old text or the new one. Follows symbolic links. Creates
  /// missing folders.
  static func replace(_ path: String, with text: String) throws(ConfigurationError) {
    // If this fails, creating the file reports the reason.
    try? Folder.create(Folder.parent(of: path))
    let path = destination(path)
    do throws(FileError) {
      try OutputFile(path: path, replacing: true).write(Array(text.utf8))
    } catch {
      throw .unwritable(path, error.reason)
    }
  }

  private static func destination(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
