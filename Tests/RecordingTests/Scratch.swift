import Glibc

@testable import Recording

/// A folder of its own for each test, removed when the test lets go of it.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    var template = Array(
      "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/stressmon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RecordingError(errno: errno, path: "a temporary folder") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// A file with these bytes.
  func file(_ bytes: some Collection<UInt8>, name: String = "file") throws -> String {
    let path = path(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw RecordingError(errno: errno, path: path) }
    defer { close(descriptor) }
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw RecordingError(errno: errno, path: path) }
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
func contents(of path: String) throws -> [UInt8] {
  let source = try ByteSource(path: path)
  var bytes: [UInt8] = []
  while true {
    let more = try source.read(at: bytes.count, count: 1 << 16)
    if more.isEmpty { return bytes }
    bytes += more
  }
}

/// A file of Fixtures, all of which are synthetic.
func fixture(_ name: String) -> String {
  let here = #filePath
  return here[..<(here.lastIndex(of: "/") ?? here.endIndex)] + "/Fixtures/" + name
}

/// The folder with the data that are not part of the project, where the environment names it.
let testData = getenv("STRESSMON_TEST_DATA").map { String(cString: $0) }
