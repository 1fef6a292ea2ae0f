internal import History
internal import JSONLines

extension SyncLedger {
  /// The state of a device. Changes that no file contains are not written: the whole shared state is published instead.
  init(_ device: SyncDevice) {
    entries = [:]
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
    // Paths with faults are read again.
    for (path, entry) in device.read where entry.isStored {
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
        put(.file, "\(id.text)/\(number)") { line in
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
        let partFiles = session.partFiles.sorted { $0.key < $1.key }.flatMap { part, partFiles in
          partFiles.sorted { $0.file < $1.file }.map { (part, $0) }
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

extension SyncDevice.ReadFile {
  /// Whether the path need not be read again.
  fileprivate var isStored: Bool {
    switch finding {
    case nil, .numberUsedTwice: true
    default: false
    }
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
    guard words.count > 3 else {
      self.init(stamp, .own)
      return
    }
    guard words.count == 5, let about = Int(words[3]), let epoch = Int(words[4]) else { return nil }
    self.init(stamp, Receipt(about: about, epoch: epoch))
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
    let parts = ledgerKey.split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "record":
      guard let key = RecordKey(ledgerKey: parts[1]) else { return nil }
      self = .record(key)
    case "session":
      guard let id = SharedID(parts[1]) else { return nil }
      self = .session(id)
    case "content":
      let ids = parts[1].split(separator: "/").compactMap { SharedID($0) }
      guard ids.count == 2 else { return nil }
      self = .content(SessionContent(profile: ids[0], fingerprint: ids[1].bits))
    default: return nil
    }
  }
}

// MARK: - State in the history

extension SyncRows {
  /// The records that were deleted in the history since the device read its deletions. Their versions must not be saved.
  func pendingDeletions(_ device: SyncDevice, _ absent: Set<RecordKey>) throws -> Set<RecordKey> {
    var pending = absent
    for deletion in try deletions() {
      guard let id = SharedID(deletion.id) else { continue }
      let key = RecordKey(RecordKind(deletion.kind), id)
      if deletion.kind == "session" {
        if device.localSessions[id] == nil { try remove(deletion) }
      } else if device.state.tombstones[.record(key)] != nil {
        try remove(deletion)
      } else {
        pending.insert(key)
      }
    }
    for key in absent where device.state.tombstones[.record(key)] == nil {
      try add(SyncDeletionRow(kind: key.kind.name, id: key.id.text))
    }
    return pending
  }

  /// Saves the state of a device.
  /// - Parameters:
  ///   - rows: The rows of records, in addition to those that are saved.
  ///   - absent: Records without values.
  func save(_ device: SyncDevice, rows: [RecordKey: Int64], except absent: Set<RecordKey>) throws {
    try save(SyncLedger(device).entries)
    var saved: Set<RecordKey> = []
    for record in try records() {
      guard let id = SharedID(record.id) else { continue }
      let key = RecordKey(RecordKind(record.kind), id)
      if device.state.records[key] == nil || absent.contains(key) {
        try removeRecord(kind: record.kind, id: record.id)
      } else if rows[key] == nil || rows[key] == record.row {
        saved.insert(key)
      }
    }
    var versions: Set<SyncVersionRow> = []
    for (key, fields) in device.state.records where !absent.contains(key) {
      if !saved.contains(key) {
        try save(SyncRecordRow(kind: key.kind.name, id: key.id.text, row: rows[key]))
      }
      for (field, value) in fields {
        versions.formUnion(value.entries.map { SyncVersionRow(key, field, $0) })
      }
    }
    try save(versions)
  }
}

extension SyncVersionRow {
  fileprivate init(_ key: RecordKey, _ field: String, _ entry: SharedField.Entry) {
    let version = entry.version
    self.init(
      kind: key.kind.name, id: key.id.text, field: field, milliseconds: version.stamp.milliseconds,
      counter: Int64(version.stamp.counter), device: version.stamp.device.text, value: version.value,
      about: Int64(entry.receipt.about), epoch: Int64(entry.receipt.epoch))
  }
}
