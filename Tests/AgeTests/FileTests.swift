import Age
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite struct FileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [false, true]) func filesSurvive(isArmored: Bool) throws {
    for count in [0, 1, 65536, 1_000_000] {
      let plaintext = randomBytes(count)
      try write(plaintext, "plain")
      try open("plain", "sealed") { input, output throws(AgeError) in
        try AgeFile.encrypt(from: input, to: output, recipients: Keys.recipients, isArmored: isArmored)
      }
      try open("sealed", "opened") { input, output throws(AgeError) in
        try AgeFile.decrypt(from: input, to: output, identities: Keys.identities)
      }
      #expect(try contents(of: folder.file("opened")) == plaintext)
    }
  }

  @Test func failedReadsAndWritesAreReported() throws {
    try write([1], "plain")
    #expect(throws: AgeError.file(operation: "write", errno: ENOSPC)) {
      try open("plain", "/dev/full") { input, output throws(AgeError) in
        try AgeFile.encrypt(from: input, to: output, recipients: Keys.recipients)
      }
    }
    #expect(throws: AgeError.file(operation: "read", errno: EISDIR)) {
      try open("", "sealed") { input, output throws(AgeError) in
        try AgeFile.encrypt(from: input, to: output, recipients: Keys.recipients)
      }
    }
  }

  /// 64 MB through both directions. The buffers need 1 MB at most.
  @Test func memoryIsConstant() throws {
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    var encryptor = try AgeEncryptor(to: Keys.recipients)
    var decryptor = AgeDecryptor(with: Keys.identities)
    var (released, grown) = (0, 0)
    var start: Int?
    for _ in 0..<64 {
      released += try decryptor.update(encryptor.update(piece)[...]).count
      let memory = residentMemory()
      grown = max(grown, memory - (start ?? memory))
      start = start ?? memory
    }
    released += try decryptor.update(encryptor.finish()[...]).count
    released += try decryptor.finish().count
    #expect(released == 64 << 20)
    #expect(grown < 32 << 20, "\(grown) bytes")
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let file = try FileDescriptor.open(
      FilePath(folder.file(name)), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  private func open(
    _ input: String, _ output: String, _ body: (FileDescriptor, FileDescriptor) throws(AgeError) -> Void
  ) throws {
    let path = output.hasPrefix("/") ? output : folder.file(output)
    let input = try FileDescriptor.open(FilePath(folder.file(input)), .readOnly)
    defer { try? input.close() }
    let output = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    defer { try? output.close() }
    try body(input, output)
  }
}
