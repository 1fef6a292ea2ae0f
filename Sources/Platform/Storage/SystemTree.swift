import Glibc

/// Small files of the kernel and the distribution, below a root directory that tests replace.
package struct SystemTree: Sendable {
  /// Empty for the running system.
  package var root = ""

  package init(root: String = "") { self.root = root }

  /// The names in a folder, sorted, without those that begin with a dot; empty if there is no such folder.
  package func entries(_ folder: String) -> [String] {
    guard let stream = unsafe opendir(root + folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a file, limited to the first 4 KiB.
  package func line(_ path: String) -> String? { lines(path)?.first }

  /// The lines within the first `limit` bytes of a file, or `nil` if it is empty or cannot be read.
  package func lines(_ path: String, limit: Int = 4096) -> [String]? {
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: limit)
    var length = 0
    // The kernel returns large files of /proc in pieces.
    while length < limit {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + length }, limit - length)
      }
      guard count > 0 else { break }
      length += count
    }
    guard length > 0 else { return nil }
    return String(decoding: buffer[..<length], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The last component of the target of the symbolic link at `path`, if there is one.
  package func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(root + path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    return path.split(separator: "/").last.map(String.init)
  }
}
