internal import History
internal import JSONLines

extension SyncDevice {
  /// Reads the stored state of a device. Fails if it contains entries that the program does not write.
  init?(_ ledger: SyncLedger) {
    guard let fields = ledger.object(.device, ""), let id = fields.id("id"), let name = fields.text("name"),
      let limit = fields.number("limit"), let milliseconds = fields.number64("ms"),
      let counter = fields.number("counter").flatMap({ UInt32(exactly: $0) }),
      let first = ledger.all(.key).compactMap({ VaultKey(ledgerKey: $0.key) }).first
    else { return nil }
    self.init(id: id, name: name, key: first, changeFileLimit: limit)
    signingKey = fields.hex("signing_key").flatMap(DeviceKey.init(seed:))
    guard id.isSigning == (signingKey?.id == id) else { return nil }
    replaced = FileID(replacedIn: fields)
    clock = HybridClock(milliseconds: milliseconds, counter: counter)
    needsSnapshot = fields.isTrue("snapshot")
    foundNumber = fields.number("found") ?? 0
    foundAbout = fields.number("found_about") ?? 0
    own.written = fields.number("written") ?? 0
    own.withdrawn = fields.numbers("withdrawn") ?? NumberSet()
    guard restoreKeys(ledger), restoreFiles(ledger), restorePeers(ledger), restoreSessions(ledger),
      restoreTombstones(ledger)
    else { return nil }
  }

  private mutating func restoreKeys(_ ledger: SyncLedger) -> Bool {
    for (text, fields) in ledger.objects(.key) {
      guard let key = VaultKey(ledgerKey: text), let fields else { return false }
      keys.insert(key)
      guard let stamp = fields.stamp() else { continue }
      announcements.append(
        KeyAnnouncement(
          key: key, forgotten: fields.id("forgotten"), stamp: stamp, known: fields.knownVersions()))
    }
    announcements.sort { $0.key < $1.key }
    return true
  }

  private mutating func restoreFiles(_ ledger: SyncLedger) -> Bool {
    if let text = ledger.text(.about, "") {
      guard case .about(let about)? = FileBody.decode(.about, Array(text.utf8)[...])?.content else {
        return false
      }
      own.about = about
      own.writtenAbout = ledger.text(.writtenAbout, "").flatMap { Int($0) } ?? about.version
    }
    for (text, fields) in ledger.objects(.own) {
      guard let number = Int(text), let fields, let file = OwnFiles.File(fields) else { return false }
      own.live[number] = file
    }
    for (path, fields) in ledger.objects(.path) {
      guard let fields, let signature = fields.bits("signature") else { return false }
      var entry = ReadFile(signature: signature, reference: fields.reference(), about: fields.id("about"))
      entry.expected = fields.text("expected")
      if fields.isTrue("twice"), let file = entry.reference?.file {
        entry.finding = .numberUsedTwice(path: path, device: file.device, number: file.number)
      }
      read[path] = entry
    }
    return true
  }

  private mutating func restorePeers(_ ledger: SyncLedger) -> Bool {
    for (text, fields) in ledger.objects(.peer) {
      guard let id = SharedID(text), let fields, let received = fields.numbers("seen"),
        let withdrawn = fields.numbers("withdrawn")
      else { return false }
      var peer = PeerState()
      (peer.name, peer.received, peer.withdrawn) = (fields.text("name") ?? "", received, withdrawn)
      (peer.written, peer.aboutVersion) = (fields.number("written") ?? 0, fields.number("about") ?? 0)
      peer.replaced = FileID(replacedIn: fields)
      peers[id] = peer
    }
    for (text, fields) in ledger.objects(.file) {
      let parts = text.split(separator: "/")
      guard parts.count == 2, let id = SharedID(parts[0]), let number = Int(parts[1]), let fields,
        let digest = fields.bits("digest")
      else { return false }
      peers[id]?.files[number] = PeerFile(
        digest: digest, session: fields.id("session"),
        key: fields.text("key").flatMap(VaultKey.init(ledgerKey:)), about: fields.number("about") ?? 0)
    }
    return true
  }

  private mutating func restoreSessions(_ ledger: SyncLedger) -> Bool {
    for (text, fields) in ledger.objects(.session) {
      guard let id = SharedID(text), let fields, let content = fields.content() else { return false }
      var session = SharedSession()
      (session.content, session.total) = (content, fields.number("parts"))
      for reference in fields.objects("carriers") ?? [] {
        guard let part = reference.number("part"), let file = reference.reference() else { return false }
        session.partFiles[part, default: []].insert(file)
      }
      sessions[id] = session
    }
    for (text, fields) in ledger.objects(.held) {
      guard let id = SharedID(text), let fields, let content = fields.content(),
        let parts = fields.number("parts")
      else { return false }
      localSessions[id] = LocalSession(
        content: content, parts: parts, hasEnded: fields.isTrue("ended"),
        lacksEvents: fields.isTrue("incomplete"))
    }
    return true
  }

  private mutating func restoreTombstones(_ ledger: SyncLedger) -> Bool {
    for (text, value) in ledger.all(.tombstone) {
      guard let target = Deleted(ledgerKey: text), let entry = ReceivedStamp(value) else { return false }
      state.merge(.delete(target, entry.stamp), entry.receipt)
    }
    for (text, value) in ledger.all(.forgotten) {
      guard let id = SharedID(text), let entry = ReceivedStamp(value) else { return false }
      state.merge(.forget(id, entry.stamp), entry.receipt)
    }
    for (text, value) in ledger.all(.retired) {
      guard let id = SharedID(text), let entry = ReceivedStamp(value) else { return false }
      state.merge(.retire(id, entry.stamp), entry.receipt)
    }
    for (text, value) in ledger.all(.lead) {
      guard let id = SharedID(text) else { return false }
      // Earlier versions stored the time of the latest stamp, also of devices whose clocks are right.
      rejectedStamps[id] = Stamp(value)
    }
    return true
  }
}

extension SyncDevice {
  /// Adds a version of a field. One whose identifiers are malformed is ignored.
  mutating func restore(_ row: SyncVersionRow) {
    guard let id = SharedID(row.id), let device = SharedID(row.device),
      let counter = UInt32(exactly: row.counter), let about = Int(exactly: row.about),
      let epoch = Int(exactly: row.epoch)
    else { return }
    let stamp = Stamp(milliseconds: row.milliseconds, counter: counter, device: device)
    state.merge(
      .set(RecordKey(RecordKind(row.kind), id), field: row.field, FieldVersion(row.value, stamp)),
      Receipt(about: about, epoch: epoch))
  }
}

extension OwnFiles.File {
  fileprivate init?(_ fields: Fields) {
    guard let name = fields.text("name").flatMap({ VaultName($0) }),
      let key = fields.text("key").flatMap(VaultKey.init(ledgerKey:))
    else { return nil }
    if let session = fields.id("session"), let part = fields.number("part") {
      self.init(
        name: name, key: key, content: .part(session, part), deletedTimeCount: fields.number("cuts") ?? 0,
        lacksEvents: fields.isTrue("incomplete"))
    } else if let records = fields.texts("records") {
      self.init(name: name, key: key, content: .changes(Set(records.compactMap { RecordKey(ledgerKey: $0) })))
    } else {
      return nil
    }
  }
}
