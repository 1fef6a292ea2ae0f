internal import History
internal import JSONLines

/// The state of a device without the values of records, as texts by kind and key. Entries contain no texts of the user except
/// the names of devices.
struct SyncLedger {
  /// The raw values are stored. `session` is a session in the files that were read, `held` one in the history, `path` a file
  /// that was read, and `lead` the first stamp of a device whose clock is ahead.
  enum Kind: String {
    case device, about, key, peer, file, own, session, held, path, tombstone, forgotten, retired, lead
    /// The version of the `about.age` that was written.
    case writtenAbout = "written_about"
  }

  /// The stored state has an entry that the program does not write.
  struct MalformedEntry: Error {}

  private(set) var entries: Set<SyncLedgerRow> = []

  init(_ entries: Set<SyncLedgerRow>) { self.entries = entries }

  func text(_ kind: Kind) -> String? { entries.first { $0.kind == kind.rawValue }?.value }

  /// The entries of a kind.
  /// - Throws: ``MalformedEntry`` if a key or a value cannot be converted.
  func all<Key, Value>(
    _ kind: Kind, _ key: (String) -> Key?, _ value: (String) -> Value?
  ) throws -> [(Key, Value)] {
    try entries.filter { $0.kind == kind.rawValue }.map {
      (try key($0.key).required, try value($0.value).required)
    }
  }

  /// The keys of a kind with the members of their JSON objects.
  func objects<Key>(_ kind: Kind, _ key: (String) -> Key?) throws -> [(Key, Fields)] {
    try all(kind, key, Fields.init(text:))
  }

  mutating func put(_ kind: Kind, _ key: String, _ value: String) {
    entries.insert(SyncLedgerRow(kind: kind.rawValue, key: key, value: value))
  }

  private mutating func put(_ kind: Kind, _ key: String, _ members: (inout JSONLine) -> Void) {
    var line = JSONLine()
    line.line(members)
    put(kind, key, String(decoding: line.bytes.dropLast(), as: UTF8.self))
  }
}

extension Optional {
  /// - Throws: ``SyncLedger/MalformedEntry`` for nil.
  fileprivate var required: Wrapped {
    get throws {
      guard let self else { throw SyncLedger.MalformedEntry() }
      return self
    }
  }
}

// MARK: - Writing

extension SyncLedger {
  /// The state of a device. Changes that no file contains are not written: the whole shared state is published instead.
  init(_ device: SyncDevice) {
    put(.device, "") { line in
      line.put("id", device.id.text)
      line.put("name", device.name)
      if let key = device.signingKey { line.put("signing_key", hex: key.seed) }
      line.put(replaced: device.replaced)
      line.put("ms", device.clock.last.milliseconds)
      line.put("counter", Int64(device.clock.last.counter))
      line.put("snapshot", flag: device.needsSnapshot || !device.outbox.isEmpty)
      line.put("limit", device.changeFileLimit)
      line.put("found", device.foundNumber)
      line.put("found_about", device.foundAbout)
      line.put("written", device.own.written)
      line.put("withdrawn", device.own.withdrawn.text)
    }
    putKeys(of: device)
    putFiles(of: device)
    putPeers(of: device)
    putSessions(of: device)
    put(device.state.tombstones)
    for (id, entry) in device.state.forgotten { put(.forgotten, id.text, entry.text) }
    for (id, entry) in device.state.retired { put(.retired, id.text, entry.text) }
    for (id, stamp) in device.rejectedStamps { put(.lead, id.text, stamp.text) }
  }

  mutating func put(_ tombstones: [Deleted: ReceivedStamp]) {
    for (target, entry) in tombstones { put(.tombstone, target.ledgerKey, entry.text) }
  }

  private mutating func putKeys(of device: SyncDevice) {
    for key in device.keys {
      let announcement = device.announcements.first { $0.key == key }
      put(.key, key.ledgerKey) { line in
        guard let announcement else { return }
        line.put("forgotten", announcement.forgotten?.text)
        line.put(announcement.stamp)
        line.put(known: announcement.known)
      }
    }
  }

  private mutating func putFiles(of device: SyncDevice) {
    if let about = device.own.about {
      put(.about, "", String(decoding: FileBody.line(.about(about)).dropLast(), as: UTF8.self))
      put(.writtenAbout, "", "\(device.own.writtenAbout)")
    }
    for (number, file) in device.own.live {
      put(.own, "\(number)") { line in
        line.put("name", file.name.text)
        line.put("key", file.key.ledgerKey)
        if file.deletedTimeCount > 0 { line.put("cuts", file.deletedTimeCount) }
        line.put("incomplete", flag: file.lacksEvents)
        switch file.content {
        case .part(let session, let part):
          line.put("session", session.text)
          line.put("part", part)
        case .changes(let records): line.put("records", texts: records.sorted().map(\.ledgerKey))
        }
      }
    }
    for (path, entry) in device.read {
      // Paths with other faults are read again.
      switch entry.finding {
      case nil, .numberUsedTwice: break
      default: continue
      }
      put(.path, path) { line in
        line.put("signature", bits: entry.signature)
        if let reference = entry.reference { line.put(reference) }
        if let about = entry.about { line.put("about", about.text) }
        if let expected = entry.expected { line.put("expected", expected) }
        line.put("twice", flag: entry.finding != nil)
      }
    }
  }

  private mutating func putPeers(of device: SyncDevice) {
    for (id, peerState) in device.peers {
      put(.peer, id.text) { line in
        line.put("name", peerState.name)
        line.put("seen", peerState.received.text)
        line.put("withdrawn", peerState.withdrawn.text)
        line.put("written", peerState.written)
        line.put("about", peerState.aboutVersion)
        line.put(replaced: peerState.replaced)
      }
      for (number, file) in peerState.files {
        put(.file, FileID(id, number).ledgerKey) { line in
          line.put("digest", bits: file.digest)
          if let session = file.session { line.put("session", session.text) }
          if let key = file.key { line.put("key", key.ledgerKey) }
          if file.about > 0 { line.put("about", file.about) }
        }
      }
    }
  }

  private mutating func putSessions(of device: SyncDevice) {
    for (id, session) in device.sessions {
      put(.session, id.text) { line in
        if let total = session.total { line.put("parts", total) }
        if let content = session.content { line.put(content) }
        let partFiles = session.partFiles.sorted { $0.key < $1.key }.flatMap { part, files in
          files.sorted { $0.file < $1.file }.map { (part, $0) }
        }
        line.put("carriers", objects: partFiles) { line, reference in
          line.put("part", reference.0)
          line.put(reference.1)
        }
      }
    }
    for (id, localSession) in device.localSessions {
      put(.held, id.text) { line in
        line.put("parts", localSession.parts)
        line.put("ended", flag: localSession.hasEnded)
        line.put("incomplete", flag: localSession.lacksEvents)
        if let content = localSession.content { line.put(content) }
      }
    }
  }
}

// MARK: - Reading

extension SyncDevice {
  /// Reads the stored state of a device.
  /// - Throws: ``SyncLedger/MalformedEntry``.
  init(_ ledger: SyncLedger) throws {
    let fields = try ledger.text(.device).flatMap(Fields.init(text:)).required
    let keys = try ledger.objects(.key) { VaultKey(ledgerKey: $0) }
    self.init(
      id: try fields.id("id").required, name: try fields.text("name").required,
      key: try keys.first.required.0, changeFileLimit: try fields.number("limit").required)
    signingKey = fields.hex("signing_key").flatMap(DeviceKey.init(seed:))
    guard id.isSigning == (signingKey?.id == id) else { throw SyncLedger.MalformedEntry() }
    replaced = FileID(replacedIn: fields)
    clock = HybridClock(
      milliseconds: try fields.number64("ms").required,
      counter: try fields.number("counter").flatMap { UInt32(exactly: $0) }.required)
    needsSnapshot = fields.isTrue("snapshot")
    foundNumber = fields.number("found") ?? 0
    foundAbout = fields.number("found_about") ?? 0
    own.written = fields.number("written") ?? 0
    own.withdrawn = fields.numbers("withdrawn") ?? NumberSet()
    for (key, fields) in keys {
      self.keys.insert(key)
      guard let stamp = fields.stamp() else { continue }
      announcements.append(
        KeyAnnouncement(
          key: key, forgotten: fields.id("forgotten"), stamp: stamp, known: fields.knownVersions()))
    }
    announcements.sort { $0.key < $1.key }
    try restoreFiles(ledger)
    try restorePeers(ledger)
    try restoreSessions(ledger)
    try restoreTombstones(ledger)
  }

  private mutating func restoreFiles(_ ledger: SyncLedger) throws {
    if let text = ledger.text(.about) {
      guard case .about(let about)? = FileBody.decode(.about, Array(text.utf8)[...])?.content else {
        throw SyncLedger.MalformedEntry()
      }
      own.about = about
      own.writtenAbout = ledger.text(.writtenAbout).flatMap { Int($0) } ?? about.version
    }
    for (number, fields) in try ledger.objects(.own, { Int($0) }) {
      let content: OwnFiles.File.Content
      if let session = fields.id("session"), let part = fields.number("part") {
        content = .part(session, part)
      } else {
        content = .changes(Set(try fields.texts("records").required.compactMap { RecordKey(ledgerKey: $0) }))
      }
      own.live[number] = OwnFiles.File(
        name: try fields.text("name").flatMap { VaultName($0) }.required, key: try fields.key().required,
        content: content, deletedTimeCount: fields.number("cuts") ?? 0,
        lacksEvents: fields.isTrue("incomplete"))
    }
    for (path, fields) in try ledger.objects(.path, \.self) {
      var entry = ReadFile(
        signature: try fields.bits("signature").required, reference: fields.reference(),
        about: fields.id("about"), expected: fields.text("expected"))
      if fields.isTrue("twice"), let file = entry.reference?.file {
        entry.finding = .numberUsedTwice(path: path, device: file.device, number: file.number)
      }
      read[path] = entry
    }
  }

  private mutating func restorePeers(_ ledger: SyncLedger) throws {
    for (id, fields) in try ledger.objects(.peer, { SharedID($0) }) {
      var peer = PeerState()
      peer.name = fields.text("name") ?? ""
      peer.received = try fields.numbers("seen").required
      peer.withdrawn = try fields.numbers("withdrawn").required
      (peer.written, peer.aboutVersion) = (fields.number("written") ?? 0, fields.number("about") ?? 0)
      peer.replaced = FileID(replacedIn: fields)
      peers[id] = peer
    }
    for (file, fields) in try ledger.objects(.file, { FileID(ledgerKey: $0) }) {
      peers[file.device]?.files[file.number] = PeerFile(
        digest: try fields.bits("digest").required, session: fields.id("session"),
        key: fields.key(), about: fields.number("about") ?? 0)
    }
  }

  private mutating func restoreSessions(_ ledger: SyncLedger) throws {
    for (id, fields) in try ledger.objects(.session, { SharedID($0) }) {
      var session = SharedSession()
      (session.content, session.total) = (try fields.content().required, fields.number("parts"))
      for reference in fields.objects("carriers") ?? [] {
        session.partFiles[try reference.number("part").required, default: []].insert(
          try reference.reference().required)
      }
      sessions[id] = session
    }
    for (id, fields) in try ledger.objects(.held, { SharedID($0) }) {
      localSessions[id] = LocalSession(
        content: try fields.content().required, parts: try fields.number("parts").required,
        hasEnded: fields.isTrue("ended"), lacksEvents: fields.isTrue("incomplete"))
    }
  }

  private mutating func restoreTombstones(_ ledger: SyncLedger) throws {
    for (target, entry) in try ledger.all(.tombstone, Deleted.init(ledgerKey:), { ReceivedStamp($0) }) {
      state.merge(.delete(target, entry.stamp), entry.receipt)
    }
    for (id, entry) in try ledger.all(.forgotten, { SharedID($0) }, { ReceivedStamp($0) }) {
      state.merge(.forget(id, entry.stamp), entry.receipt)
    }
    for (id, entry) in try ledger.all(.retired, { SharedID($0) }, { ReceivedStamp($0) }) {
      state.merge(.retire(id, entry.stamp), entry.receipt)
    }
    // Earlier versions stored the time of the latest stamp, also of devices whose clocks are right.
    for (id, stamp) in try ledger.all(.lead, { SharedID($0) }, { .some(Stamp($0)) }) {
      rejectedStamps[id] = stamp
    }
  }
}

// MARK: - Texts

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

  func key() -> VaultKey? { text("key").flatMap(VaultKey.init(ledgerKey:)) }

  func reference() -> FileReference? {
    guard let device = id("device"), let number = number("number"), let digest = bits("digest") else {
      return nil
    }
    return FileReference(
      file: FileID(device, number), digest: digest, lacksEvents: isTrue("incomplete"))
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

extension Stamp {
  /// `milliseconds counter device`.
  var text: String { "\(milliseconds) \(counter) \(device)" }

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let milliseconds = Int64(words[0]), let counter = UInt32(words[1]),
      let device = SharedID(words[2])
    else { return nil }
    self.init(milliseconds: milliseconds, counter: counter, device: device)
  }
}

extension ReceivedStamp {
  /// The stamp and, unless it is own, `about epoch`.
  var text: String { stamp.text + (receipt.isOwn ? "" : " \(receipt.about) \(receipt.epoch)") }

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard let stamp = Stamp(words.prefix(3).joined(separator: " ")) else { return nil }
    self.init(stamp, .own)
    guard words.count > 3 else { return }
    guard words.count == 5, let about = Int(words[3]), let epoch = Int(words[4]) else { return nil }
    receipt = Receipt(about: about, epoch: epoch)
  }
}

extension FileID {
  /// `device/number`.
  var ledgerKey: String { "\(device)/\(number)" }

  init?(ledgerKey: String) {
    let parts = ledgerKey.split(separator: "/")
    guard parts.count == 2, let device = SharedID(parts[0]), let number = Int(parts[1]) else { return nil }
    self.init(device, number)
  }
}

extension VaultKey {
  /// `epoch-writer`.
  var ledgerKey: String { "\(epoch)-\(writer)" }

  init?(ledgerKey: String) {
    let parts = ledgerKey.split(separator: "-")
    guard parts.count == 2, let epoch = Int(parts[0]), let writer = SharedID(parts[1]) else { return nil }
    self.init(epoch: epoch, writer: writer)
  }
}

extension RecordKey {
  /// `kind/id`.
  var ledgerKey: String { "\(kind.name)/\(id)" }

  init?(ledgerKey: some StringProtocol) {
    let parts = ledgerKey.split(separator: "/")
    guard parts.count == 2, let id = SharedID(parts[1]) else { return nil }
    self.init(RecordKind(String(parts[0])), id)
  }
}

extension Deleted {
  /// `record/kind/id`, `session/id` or `content/profile/fingerprint`.
  var ledgerKey: String {
    switch self {
    case .record(let key): "record/\(key.ledgerKey)"
    case .session(let id): "session/\(id)"
    case .content(let content): "content/\(content.profile)/\(SharedID(bits: content.fingerprint))"
    }
  }

  init?(ledgerKey: String) {
    let parts = ledgerKey.split(separator: "/")
    let ids = parts.dropFirst().compactMap { SharedID($0) }
    switch (parts.first, ids.count) {
    case ("record", _):
      guard let key = RecordKey(ledgerKey: ledgerKey.dropFirst(7)) else { return nil }
      self = .record(key)
    case ("session", 1): self = .session(ids[0])
    case ("content", 2): self = .content(SessionContent(profile: ids[0], fingerprint: ids[1].bits))
    default: return nil
    }
  }
}
