import Glibc

/// A small private text file, read and replaced as a whole.
enum TextFile {
  /// The file's text; nil when it does not exist.
  static func read(_ path: String) throws(ConfigurationError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path, reason())
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      guard count >= 0 else { throw .unreadable(path, reason()) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unreadable(path, "it is not UTF-8 text")
    }
    return text
  }

  /// Replaces the file in one step (mode 0600), so that a crash leaves the old text or the new one. Where the path is a
  /// link, the file that it leads to.
  static func replace(_ path: String, with text: String) throws(ConfigurationError) {
    makeFolders(of: path)
    let path = destination(path)
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unwritable(path, reason()) }
    var text = text
    let written = text.withUTF8 { write(file, $0.baseAddress, $0.count) == $0.count } && fsync(file) == 0
    let why = reason()
    close(file)
    guard written, rename(temporary, path) == 0 else {
      let why = written ? reason() : why
      unlink(temporary)
      throw .unwritable(path, why)
    }
  }

  private static func destination(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func makeFolders(of path: String) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += folder.isEmpty && part.isEmpty ? "/" : "\(part)/"
      mkdir(folder, 0o700)
    }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
