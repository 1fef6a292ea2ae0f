internal import Crypto
internal import JSONLines

/// The first line of a file: where it belongs, and who wrote it.
struct FileHeader: Equatable {
  enum Kind: String { case about, changes, session }

  var vault: SharedID
  var device: SharedID
  var name: VaultName
  var number: Int
  var kind: Kind
  /// SHA-256 of everything after the line.
  var body: [UInt8]

  /// The bytes that the HMAC covers.
  private var message: [UInt8] {
    let fields = ["stressmon-sync-1", vault.text, device.text, name.text, "\(number)", kind.rawValue]
    return fields.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } + body
  }

  /// The bytes that the signature covers. The HMAC in them depends on the key of the vault, so a file that was encrypted again for another
  /// key is not valid.
  private func signedMessage(_ mac: [UInt8]) -> [UInt8] { Array("stressmon-sync-2\n".utf8) + message + mac }

  /// - Parameter signer: The key of the device. A device that uses format 1 has none.
  func line(_ crypt: some FileCrypt, signedWith signer: DeviceKey?) throws -> [UInt8] {
    guard let mac = crypt.authenticationCode(of: message, purpose: "file", key: crypt.current) else {
      throw FileCryptError.unknownKey
    }
    let signature = try signer?.signature(of: signedMessage(mac))
    var line = JSONLine()
    line.line { line in
      line.put("vault", vault.text)
      line.put("device", device.text)
      line.put("name", name.text)
      line.put("number", number)
      line.put("kind", kind.rawValue)
      line.put("body", hex: body)
      line.put("mac", hex: mac)
      if let signer, let signature {
        line.put("signer", hex: signer.publicKey)
        line.put("signature", hex: signature)
      }
    }
    return line.bytes
  }

  enum Fault: Error { case malformed, newer, forged }

  /// Parses and authenticates the header and checks the body. A file of a device with a signing key must have its signature.
  init(
    _ line: [UInt8], body: ArraySlice<UInt8>, vault: SharedID, _ crypt: some FileCrypt, key: VaultKey
  ) throws(Fault) {
    guard let object = try? JSONObject(line) else { throw .malformed }
    let fields = Fields(object)
    guard let claimed = fields.id("vault"), let device = fields.id("device"), let name = fields.text("name"),
      let number = fields.number("number"), number <= VaultName.lastNumber, let kind = fields.text("kind"),
      let hash = fields.hex("body"),
      let mac = fields.hex("mac")
    else { throw .malformed }
    guard claimed == vault else { throw .forged }
    guard let name = VaultName(name), let kind = Kind(rawValue: kind) else { throw .newer }
    (self.vault, self.device, self.name, self.number, self.kind, self.body) = (
      vault, device, name, number, kind, hash
    )
    guard let expected = crypt.authenticationCode(of: message, purpose: "file", key: key),
      Self.areEqual(expected, mac),
      Array(SHA256.hash(data: body)) == hash, isSigned(fields, mac)
    else { throw .forged }
  }

  /// Whether the device of the header wrote the file; true for devices that use format 1.
  private func isSigned(_ fields: Fields, _ mac: [UInt8]) -> Bool {
    guard device.isSigning else { return true }
    guard let signer = fields.hex("signer"), let signature = fields.hex("signature") else { return false }
    return DeviceKey.isValid(signature, of: signedMessage(mac), by: signer, id: device)
  }

  /// Takes the same time for equal and different codes.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  init(vault: SharedID, file: VaultFile, body: ArraySlice<UInt8>) {
    (self.vault, device, name, number) = (vault, file.device, file.name, file.number)
    self.body = Array(SHA256.hash(data: body))
    kind =
      switch file.content {
      case .about: .about
      case .changes: .changes
      case .part: .session
      }
  }

  /// The first bytes of the SHA-256.
  var digest: UInt64 { body.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Members of a JSON object, with their types and ranges checked.
struct Fields {
  private let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func has(_ key: String) -> Bool { object[key] != nil }
  func text(_ key: String) -> String? { object[key].flatMap(object.string) }
  func id(_ key: String) -> SharedID? { text(key).flatMap { SharedID($0) } }

  /// The greatest version, epoch or count: 2^53 - 1. A number that is counted up from there does not overflow.
  static let numberLimit = 1 << 53 - 1

  /// From 0 to the greatest Int64.
  func number64(_ key: String) -> Int64? {
    object[key].flatMap(object.number)?.ticks(perUnit: 1, limit: .max)
  }

  /// From 0 to ``numberLimit``.
  func number(_ key: String) -> Int? {
    number64(key).flatMap { $0 <= Self.numberLimit ? Int($0) : nil }
  }

  func hex(_ key: String) -> [UInt8]? {
    guard let digits = text(key)?.utf8, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = hexDigit(digit) else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    return bytes
  }

  func objects(_ key: String) -> [Fields]? {
    object[key].flatMap(object.elements)?.compactMap(object.object).map(Fields.init)
  }

  func texts(_ key: String) -> [String]? {
    object[key].flatMap(object.elements)?.compactMap(object.string)
  }

  func stamp() -> Stamp? {
    guard let milliseconds = number64("ms"), let counter = number("count").flatMap({ UInt32(exactly: $0) }),
      let device = id("by")
    else { return nil }
    return Stamp(milliseconds: milliseconds, counter: counter, device: device)
  }

  func content() -> SessionContent?? {
    guard has("fingerprint") else { return .some(nil) }
    guard let profile = id("profile"), let bytes = hex("fingerprint"), bytes.count == 16 else { return nil }
    return SessionContent(profile: profile, fingerprint: bytes.reduce(0) { $0 << 8 | UInt128($1) })
  }
}

extension Fields {
  /// The versions in ``KeyAnnouncement/known``; malformed entries are ignored.
  func knownVersions() -> [SharedID: Int] {
    let entries = (objects("known") ?? []).compactMap { entry in
      entry.id("device").flatMap { id in entry.number("version").map { (id, $0) } }
    }
    return Dictionary(entries, uniquingKeysWith: min)
  }
}

extension JSONLine {
  mutating func put(known: [SharedID: Int]) {
    put("known", objects: known.sorted { $0.key < $1.key }) { line, entry in
      line.put("device", entry.key.text)
      line.put("version", entry.value)
    }
  }

  mutating func put(_ stamp: Stamp) {
    put("ms", stamp.milliseconds)
    put("count", Int64(stamp.counter))
    put("by", stamp.device.text)
  }

  mutating func put(_ content: SessionContent) {
    put("profile", content.profile.text)
    put(
      "fingerprint",
      hex: (0..<16).map { UInt8(truncatingIfNeeded: content.fingerprint >> (8 * (15 - UInt128($0)))) })
  }
}
