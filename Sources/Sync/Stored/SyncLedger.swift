internal import History
internal import JSONLines

/// The state of a device without the values of records, as texts by kind and key. Entries contain no texts of the user except
/// the names of devices.
struct SyncLedger {
  enum Kind: String {
    case device, about, key, peer, file, own, session, held, path, tombstone, forgotten, retired, lead
    /// The version of the `about.age` that was written.
    case writtenAbout = "written_about"
  }

  var entries: [SyncLedgerKey: String]

  /// The entries of a kind by key.
  func all(_ kind: Kind) -> [(key: String, value: String)] {
    entries.compactMap { $0.key.kind == kind.rawValue ? ($0.key.key, $0.value) : nil }
  }

  /// The members of the JSON object of each entry of a kind.
  func objects(_ kind: Kind) -> [(key: String, fields: Fields?)] {
    all(kind).map { entry in (entry.key, Fields(text: entry.value)) }
  }

  func text(_ kind: Kind, _ key: String) -> String? { entries[SyncLedgerKey(kind.rawValue, key)] }

  func object(_ kind: Kind, _ key: String) -> Fields? {
    text(kind, key).flatMap(Fields.init(text:))
  }

  mutating func put(_ kind: Kind, _ key: String, _ value: String) {
    entries[SyncLedgerKey(kind.rawValue, key)] = value
  }

  mutating func put(_ kind: Kind, _ key: String, _ members: (inout JSONLine) -> Void) {
    var line = JSONLine()
    line.line(members)
    put(kind, key, String(decoding: line.bytes.dropLast(), as: UTF8.self))
  }
}

extension Fields {
  init?(text: String) {
    guard let object = try? JSONObject(Array(text.utf8)) else { return nil }
    self.init(object)
  }

  func numbers(_ key: String) -> NumberSet? { text(key).flatMap { NumberSet($0) } }
  func isTrue(_ key: String) -> Bool { number(key) == 1 }
  /// 64 bits as 16 hexadecimal digits.
  func bits(_ key: String) -> UInt64? {
    hex(key).flatMap { $0.count == 8 ? $0.reduce(0) { $0 << 8 | UInt64($1) } : nil }
  }
}

extension JSONLine {
  mutating func put(_ key: String, bits: UInt64) {
    put(key, hex: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * (7 - UInt64($0)))) })
  }

  mutating func put(_ key: String, flag: Bool) { if flag { put(key, 1) } }

  mutating func put(_ reference: FileReference) {
    put("device", reference.file.device.text)
    put("number", reference.file.number)
    put("digest", bits: reference.digest)
    put("incomplete", flag: reference.lacksEvents)
  }
}

extension Fields {
  func reference() -> FileReference? {
    guard let device = id("device"), let number = number("number"), let digest = bits("digest") else {
      return nil
    }
    return FileReference(
      file: FileID(device, number), digest: digest, lacksEvents: isTrue("incomplete"))
  }
}
