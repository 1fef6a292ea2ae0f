package import Age
internal import JSONLines

/// The file of a key: its identity, encrypted with the passphrase.
///
/// The plaintext is an identity file of age, whose first line is a comment with the announcement. So `age -d key.age` prints
/// what `age -d -i` reads.
package struct KeyFile: Sendable {
  /// The binary logarithm of scrypt's N: 128 MiB of memory.
  package static let workFactor = 17

  package var announcement: KeyAnnouncement
  package var identity: X25519Identity

  package init(announcement: KeyAnnouncement, identity: X25519Identity) {
    self.announcement = announcement
    self.identity = identity
  }

  /// The name of the first key.
  package static let firstName = "key.age"

  /// The name in the folder of the vault.
  package static func name(of key: VaultKey) -> String {
    key.epoch == 1 ? firstName : "key-\(key.epoch)-\(key.writer.text).age"
  }

  /// Whether ``name(of:)`` gives this name for some key.
  package static func isName(_ name: String) -> Bool { name == firstName || key(ofName: name) != nil }

  /// The key of a file. Unknown for the first key, whose name does not state its writer, and for other names.
  package static func key(ofName name: String) -> VaultKey? {
    let parts = name.dropLast(4).split(separator: "-")
    guard name.hasSuffix(".age"), parts.count == 3, parts[0] == "key", let epoch = Int(parts[1]), epoch > 1,
      epoch <= Fields.numberLimit, let writer = SharedID(parts[2])
    else { return nil }
    return VaultKey(epoch: epoch, writer: writer)
  }

  package func encrypted(_ passphrase: Passphrase, workFactor: Int = workFactor) throws(AgeError) -> [UInt8] {
    try AgeFile.encrypt(plaintext, to: .passphrase(passphrase, workFactor: workFactor))
  }

  /// The comment with the announcement, and the lines of an identity file.
  var plaintext: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("epoch", announcement.key.epoch)
      line.put("writer", announcement.key.writer.text)
      if let forgotten = announcement.forgotten { line.put("forgotten", forgotten.text) }
      line.put(announcement.stamp)
      line.put(known: announcement.known)
    }
    return Array("# ".utf8) + line.bytes + Array(IdentityFile.encode(identity).utf8)
  }

  /// - Throws: ``AgeError``, such as `wrongPassphrase`; ``VaultError/invalidKeyFile(name:)``.
  package init(_ file: [UInt8], name: String, passphrase: Passphrase) throws {
    try self.init(plaintext: AgeFile.decrypt(file, with: .passphrase(passphrase)), name: name)
    // A renamed file must not replace another key.
    guard Self.name(of: announcement.key) == name else { throw VaultError.invalidKeyFile(name: name) }
  }

  /// - Parameter name: The file, for errors.
  /// - Throws: ``AgeError/malformedKey(reason:)``, ``VaultError/invalidKeyFile(name:)``.
  init(plaintext: [UInt8], name: String) throws {
    let first = plaintext.prefix { $0 != UInt8(ascii: "\n") }.dropFirst(2)
    guard let fields = (try? JSONObject(Array(first))).map(Fields.init), let epoch = fields.number("epoch"),
      let writer = fields.id("writer"), let stamp = fields.stamp(),
      let identity = try IdentityFile.decode(plaintext).first
    else { throw VaultError.invalidKeyFile(name: name) }
    announcement = KeyAnnouncement(
      key: VaultKey(epoch: epoch, writer: writer), forgotten: fields.id("forgotten"), stamp: stamp,
      known: fields.knownVersions())
    self.identity = identity
  }
}
