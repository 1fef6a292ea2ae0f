import Glibc

/// Small files of the kernel and the distribution, below a root directory that tests replace.
struct SystemTree: Sendable {
  /// Empty for the running system.
  var root = ""

  /// The names in a folder, sorted, without those that begin with a dot; empty if there is no such folder.
  func entries(_ folder: String) -> [String] {
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

  /// The first line of a file, limited to the first 4 KiB; nil if it cannot be read.
  func line(_ path: String) -> String? { lines(path)?.first }

  /// The lines within the first 4 KiB of a file.
  func lines(_ path: String) -> [String]? {
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The last component of the target of a symbolic link; nil if there is no such link.
  func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(root + path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").last.map(String.init)
  }
}
