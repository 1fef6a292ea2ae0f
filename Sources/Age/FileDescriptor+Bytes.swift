import SystemPackage

/// A buffer for reading a file in pieces.
struct ByteBuffer {
  private var bytes = [UInt8](repeating: 0, count: 256 * 1024)

  /// The next bytes; nil at the end of the file.
  /// - Throws: ``AgeError/file(operation:errno:)``.
  mutating func read(_ descriptor: FileDescriptor) throws(AgeError) -> ArraySlice<UInt8>? {
    let count = try FileDescriptor.checked("read") {
      try unsafe bytes.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
    }
    return count == 0 ? nil : bytes[..<count]
  }
}

extension FileDescriptor {
  /// - Throws: ``AgeError/file(operation:errno:)``.
  func writeBytes(_ bytes: [UInt8]) throws(AgeError) {
    _ = try Self.checked("write") { try writeAll(bytes) }
  }

  static func checked<Value>(_ operation: String, _ body: () throws -> Value) throws(AgeError) -> Value {
    do {
      return try body()
    } catch {
      throw .file(operation: operation, errno: (error as? Errno)?.rawValue ?? 0)
    }
  }
}
