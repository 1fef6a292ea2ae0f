import Glibc

extension Folder {
  /// The directory of the running program.
  package static var ofProgram: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, unsafe readlink("/proc/self/exe", &path, path.count))
    return parent(of: String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
