@testable import Sync

/// The files of a synchronised folder after decryption.
extension FuzzTarget {
  private static let vaultID = SharedID(bits: 1)
  private static let key = VaultKey(epoch: 1, writer: vaultID)
  private static let crypt = PlainCrypt(current: key)
  private static let wall: Int64 = 1_763_856_000_000

  /// Files are not encrypted, and the authentication code of each file is empty. Without a secret, changed headers are accepted too.
  private struct PlainCrypt: FileCrypt {
    var current: VaultKey
    let firstRecipient = ""

    func seal(_ plaintext: [UInt8]) -> [UInt8] { plaintext }
    func open(_ file: [UInt8]) -> (plaintext: [UInt8], key: VaultKey) { (file, current) }
    func authenticationCode(of message: [UInt8], purpose: String, key: VaultKey) -> [UInt8]? { [] }
  }

  /// A file of a device, the file of a key, or `stressmon.json`.
  static func vault(_ bytes: [UInt8]) -> String? {
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let body = bytes[header.endIndex...].dropFirst()
    return headerDefect(Array(header), body) ?? fileDefect(bytes) ?? bodyDefect(body) ?? keyDefect(bytes)
      ?? descriptionDefect(bytes)
  }

  private static func headerDefect(_ line: [UInt8], _ body: ArraySlice<UInt8>) -> String? {
    func header(_ line: [UInt8]) -> FileHeader? {
      try? FileHeader(line, body: body, vault: vaultID, crypt, key: key)
    }
    // A header with a signature cannot be written again without the key of its device.
    guard let read = header(line), !read.device.isSigning else { return nil }
    return (try? read.line(crypt, signedWith: nil)).flatMap(header) == read
      ? nil : "a header differs from what was read"
  }

  private static func fileDefect(_ bytes: [UInt8]) -> String? { vaultFile(bytes).flatMap(deviceDefect) }

  /// Nil for a file that no device accepts.
  static func vaultFile(_ bytes: [UInt8]) -> VaultFile? {
    guard case .file(let file, key) = VaultCodec(vault: vaultID, crypt: crypt).decode(bytes).file else {
      return nil
    }
    return file
  }

  /// The body under each kind of header, because the hash in the header rejects changed bodies.
  private static func bodyDefect(_ body: ArraySlice<UInt8>) -> String? {
    // The last line is the padding.
    let lines = body[..<(body.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? body.startIndex)]
    for kind in [FileHeader.Kind.about, .changes, .session] {
      guard let content = FileBody.decode(kind, lines)?.content else { continue }
      let name: VaultName =
        switch content {
        case .about: .about
        case .changes: .changes(number: 1)
        case .part(let part): .part(tag: vaultID, part: part.part)
        }
      let number = kind == .about ? 0 : 1
      let file = VaultFile(device: SharedID(bits: 3), number: number, digest: 1, name: name, content: content)
      if let defect = writtenDefect(file) ?? deviceDefect(file) { return defect }
    }
    return nil
  }

  /// The writer of the file and another device read it, and write files that can be read.
  private static func deviceDefect(_ file: VaultFile) -> String? {
    for id in [file.device, SharedID(bits: 2)] {
      var device = SyncDevice(id: id, name: "a", key: key)
      var random = SystemRandomNumberGenerator()
      let path = VaultPath.text(file.device, file.name)
      let received = device.receive([path: 1], wall: wall, using: &random) { _ in .file(file, key) }
      _ = received.findings.map(\.description)
      for session in received.sessions { device.didStore(session) }
      _ = device.upgrade(wall: wall, using: &random)
      let plan = device.publish(wall: wall) { $0 }
      if let defect = plan.files.lazy.compactMap(writtenDefect).first { return defect }
    }
    return nil
  }

  private static func writtenDefect(_ file: VaultFile) -> String? {
    let header = FileHeader(vault: vaultID, file: file, body: [])
    let read = FileBody.decode(header.kind, FileBody.line(file.content)[...])?.content
    return read == file.content ? nil : "the content of \(file.name.text) differs from what was written"
  }

  private static func keyDefect(_ bytes: [UInt8]) -> String? {
    let name = String(decoding: bytes.prefix(64), as: UTF8.self)
    if let key = KeyFile.key(ofName: name), KeyFile.key(ofName: KeyFile.name(of: key)) != key {
      return "the name of a key has another key"
    }
    guard let file = try? KeyFile(plaintext: bytes, name: name) else { return nil }
    guard let read = try? KeyFile(plaintext: file.plaintext, name: name),
      read.announcement == file.announcement
    else { return "a key file differs from what was read" }
    var device = SyncDevice(id: SharedID(bits: 2), name: "a", key: key)
    device.learn(file.announcement)
    _ = try? device.forget(SharedID(bits: 3), wall: wall)
    return device.publish(wall: wall) { $0 }.files.lazy.compactMap(writtenDefect).first
  }

  private static func descriptionDefect(_ bytes: [UInt8]) -> String? {
    guard let description = try? VaultDescription(bytes) else { return nil }
    let read = try? VaultDescription(description.bytes)
    return read == description ? nil : "stressmon.json differs from what was read"
  }
}
