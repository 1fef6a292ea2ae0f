import Glibc

/// A new temporary directory, removed with its content at deinitialisation.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Creates the directory in /tmp, whose short path leaves room for a socket path (108 bytes).
  /// - Throws: ``SystemCallError``.
  package init(prefix: String = "stressmon") throws(SystemCallError) {
    var template = Array("/tmp/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp(/tmp/\(prefix)-XXXXXX)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { removeTree(path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes `text` to the file `name` and returns its path.
  /// - Throws: ``SystemCallError``.
  @discardableResult
  package func write(_ text: String, to name: String) throws(SystemCallError) -> String {
    let target = file(name)
    guard let stream = fopen(target, "w") else { throw SystemCallError("open \(target)") }
    defer { fclose(stream) }
    guard fputs(text, stream) >= 0, fflush(stream) == 0 else { throw SystemCallError("write \(target)") }
    return target
  }
}

/// A failed system call with its error code.
package struct SystemCallError: Error, CustomStringConvertible {
  package let tried: String
  package let code: CInt

  /// Creates an error for a call that has just failed; without `code`, the code is `errno`.
  package init(_ tried: String, code: CInt? = nil) {
    self.tried = tried
    self.code = code ?? errno
  }

  package var description: String { "\(tried): \(String(cString: strerror(code)))" }
}

/// Removes a file, or a directory with its content, without following symbolic links.
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
