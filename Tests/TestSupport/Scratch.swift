import Glibc

/// A temporary folder for the files of one test, removed with the last reference.
package final class Scratch: Sendable {
  package let folder: String

  package init() throws {
    var template = Array(
      "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/stressmon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// A file with these bytes.
  package func file(_ bytes: some Collection<UInt8>, name: String = "file") throws -> String {
    let path = path(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SystemCallError("write \(path)") }
    defer { close(descriptor) }
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemCallError("write \(path)") }
      rest = rest.dropFirst(count)
    }
    return path
  }

  deinit {
    if let entries = opendir(folder) {
      while let entry = readdir(entries) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink(path(name))
      }
      closedir(entries)
    }
    rmdir(folder)
  }
}

/// The bytes of a file.
package func contents(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw SystemCallError("open \(path)") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

/// A file in the folder Fixtures beside the calling test. All fixtures are synthetic.
package func fixture(_ name: String, file: String = #filePath) -> String {
  file[..<(file.lastIndex(of: "/") ?? file.endIndex)] + "/Fixtures/" + name
}

/// The folder with data that are not part of the project, if the environment names it.
package let testData = getenv("STRESSMON_TEST_DATA").map { String(cString: $0) }
