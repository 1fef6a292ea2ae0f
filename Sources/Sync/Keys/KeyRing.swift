internal import Age
internal import JSONLines

/// The keys of a vault that a device has.
package struct KeyRing: Sendable {
  package let vault: SharedID
  /// The recipient in `stressmon.json`, verified when the device joined.
  package let recipient: String
  /// In increasing order of their keys.
  package private(set) var keys: [KeyFile]

  package init(vault: SharedID, recipient: String, keys: [KeyFile]) {
    (self.vault, self.recipient) = (vault, recipient)
    self.keys = keys.sorted { $0.announcement.key < $1.announcement.key }
  }

  package subscript(key: VaultKey) -> KeyFile? { keys.first { $0.announcement.key == key } }

  /// Adds a key, or replaces one of the same epoch and writer.
  package mutating func add(_ file: KeyFile) {
    keys = (keys.filter { $0.announcement.key != file.announcement.key } + [file]).sorted {
      $0.announcement.key < $1.announcement.key
    }
  }

  /// The recipient that `stressmon.json` must state: derived from the first identity if this device has it.
  private var firstRecipient: String {
    keys.first { $0.announcement.key.epoch == 1 }.map { "\($0.identity.recipient)" } ?? recipient
  }

  /// Encrypts with the key of `device`, and decrypts with all keys.
  /// - Throws: ``KeyStoreError/missingKey(_:)``.
  package func crypt(for device: SyncDevice) throws(KeyStoreError) -> AgeCrypt {
    let identities = Dictionary(uniqueKeysWithValues: keys.map { ($0.announcement.key, $0.identity) })
    guard
      let crypt = AgeCrypt(
        vault: vault, identities: identities, current: device.key, firstRecipient: firstRecipient)
    else { throw .missingKey(device.key) }
    return crypt
  }
}

extension KeyRing {
  private static let title = "# Keys of stressmon sync: they open all files of the folder."

  /// An identity file of age, which `age -d -i` reads, with the other properties as comments.
  var bytes: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("vault", vault.text)
      line.put("recipient", recipient)
    }
    return Array("\(Self.title)\n# ".utf8) + line.bytes + keys.flatMap(\.plaintext)
  }

  /// Parses ``bytes``.
  /// - Throws: ``KeyStoreError/invalid(path:)``.
  init(_ bytes: [UInt8], path: String) throws(KeyStoreError) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count > 1, let fields = (try? JSONObject(Array(lines[1].dropFirst(2)))).map(Fields.init),
      let vault = fields.id("vault"), let recipient = fields.text("recipient")
    else { throw .invalid(path: path) }
    var keys: [KeyFile] = []
    // Each key has three lines: the announcement, the recipient and the identity.
    let rest = Array(lines.dropFirst(2))
    guard !rest.isEmpty, rest.count.isMultiple(of: 3) else { throw .invalid(path: path) }
    for start in stride(from: 0, to: rest.count, by: 3) {
      let text = rest[start..<(start + 3)].flatMap { Array($0) + [UInt8(ascii: "\n")] }
      guard let key = try? KeyFile(plaintext: text, name: path) else { throw .invalid(path: path) }
      keys.append(key)
    }
    self.init(vault: vault, recipient: recipient, keys: keys)
  }
}
