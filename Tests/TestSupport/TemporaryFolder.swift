import Glibc

/// A fresh folder that is gone, with everything in it, when the last reference to it is.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// Makes the folder under /tmp, whose short name leaves room for a socket path (108 bytes).
  /// - Throws: ``SystemCallError``.
  public init(prefix: String = "stressmon") throws(SystemCallError) {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp(/tmp/\(prefix)-XXXXXX)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { removeTree(path) }

  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes `text` to the file `name` and gives its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws(SystemCallError) -> String {
    let target = file(name)
    guard let stream = fopen(target, "w") else { throw SystemCallError("open \(target)") }
    defer { fclose(stream) }
    guard fputs(text, stream) >= 0, fflush(stream) == 0 else { throw SystemCallError("write \(target)") }
    return target
  }
}

/// A system call that failed: what was tried, and why not.
public struct SystemCallError: Error, CustomStringConvertible {
  public let tried: String
  public let code: CInt

  /// The call that just failed: its reason is in `errno`, unless it returned `code`.
  public init(_ tried: String, code: CInt? = nil) {
    self.tried = tried
    self.code = code ?? errno
  }

  public var description: String { "\(tried): \(String(cString: strerror(code)))" }
}

/// Removes a file, or a folder with what it holds; never follows a link.
private func removeTree(_ path: String) {
  if let folder = opendir(path) {
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    closedir(folder)
    for name in names where name != "." && name != ".." { removeEntry(path + "/" + name) }
  }
  rmdir(path)
}

private func removeEntry(_ path: String) {
  if unlink(path) != 0 { removeTree(path) }
}
