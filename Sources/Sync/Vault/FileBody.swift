internal import JSONLines

/// The lines of a file after its header.
enum FileBody {
  /// The lines of the content; of a part, the line that describes it, which its events follow.
  static func line(_ content: VaultFile.Content) -> [UInt8] {
    var line = JSONLine()
    switch content {
    case .about(let about): line.line { $0.put(about) }
    case .changes(let changes): for change in changes { line.line { $0.put(change) } }
    case .part(let part): line.line { $0.put(part) }
    }
    return line.bytes
  }

  /// - Returns: The content and, of a part, the lines of its events, or `nil` if this version does not know the lines.
  static func decode(
    _ kind: FileHeader.Kind, _ body: ArraySlice<UInt8>
  ) -> (content: VaultFile.Content, events: ArraySlice<UInt8>)? {
    let feed = UInt8(ascii: "\n")
    let end = body.firstIndex(of: feed) ?? body.endIndex
    switch kind {
    case .about:
      guard let about = fields(body[..<end]).flatMap(About.init) else { return nil }
      return (.about(about), [])
    case .session:
      guard let part = fields(body[..<end]).flatMap(VaultPart.init) else { return nil }
      return (.part(part), body[end...].dropFirst())
    case .changes:
      var changes: [Change] = []
      for line in body.split(separator: feed) {
        guard let change = fields(line).flatMap(Change.init) else { return nil }
        changes.append(change)
      }
      return (.changes(changes), [])
    }
  }

  private static func fields(_ line: ArraySlice<UInt8>) -> Fields? {
    (try? JSONObject(Array(line))).map(Fields.init)
  }
}

extension JSONLine {
  fileprivate mutating func put(_ about: About) {
    put("name", about.name)
    put("version", about.version)
    put("written", about.written)
    put("withdrawn", about.withdrawn.text)
    put("epoch", about.key.epoch)
    put("key_by", about.key.writer.text)
    put(replaced: about.replaced)
    put("seen", objects: about.received.sorted { $0.key < $1.key }) { line, received in
      line.put("device", received.key.text)
      line.put("numbers", received.value.text)
    }
  }

  fileprivate mutating func put(_ part: VaultPart) {
    put("session", part.session.text)
    put("part", part.part)
    if let parts = part.parts { put("parts", parts) }
    if let content = part.content { put(content) }
    put("incomplete", flag: part.lacksEvents)
  }

  fileprivate mutating func put(_ change: Change) {
    switch change {
    case .set(let key, let field, let version):
      put("set", key.kind.name)
      put("id", key.id.text)
      put("field", field)
      put("value", version.value)
    case .delete(.record(let key), _):
      put("delete", key.kind.name)
      put("id", key.id.text)
    case .delete(.session(let id), _):
      put("delete", "session")
      put("id", id.text)
    case .delete(.content(let content), _):
      put("delete", "content")
      put(content)
    case .forget(let device, _): put("forget", device.text)
    case .retire(let device, _): put("retire", device.text)
    }
    put(change.stamp)
  }
}

extension About {
  fileprivate init?(_ fields: Fields) {
    guard let name = fields.text("name"), let version = fields.number("version"),
      let written = fields.number("written"), written <= VaultName.lastNumber,
      let withdrawn = fields.text("withdrawn").flatMap({ NumberSet($0) }), let epoch = fields.number("epoch"),
      let writer = fields.id("key_by"), let received = fields.objects("seen")
    else { return nil }
    self.init(
      name: name, version: version, written: written, withdrawn: withdrawn,
      key: VaultKey(epoch: epoch, writer: writer), replaced: FileID(replacedIn: fields))
    for entry in received {
      guard let device = entry.id("device"), let numbers = entry.text("numbers").flatMap({ NumberSet($0) })
      else {
        return nil
      }
      self.received[device] = numbers
    }
  }
}

extension JSONLine {
  mutating func put(replaced file: FileID?) {
    put("replaces", file?.device.text)
    put("replaced", file?.number)
  }
}

extension FileID {
  /// See ``About/replaced``. Fails if the fields do not contain it.
  init?(replacedIn fields: Fields) {
    guard let device = fields.id("replaces"), let number = fields.number("replaced") else { return nil }
    self.init(device, number)
  }
}

extension VaultPart {
  fileprivate init?(_ fields: Fields) {
    guard let session = fields.id("session"), let part = fields.number("part"), part <= VaultName.lastPart,
      let content = fields.content()
    else { return nil }
    let parts = fields.number("parts")
    guard parts.map({ $0 > part && $0 <= VaultName.lastPart + 1 }) ?? !fields.has("parts") else { return nil }
    self.init(
      session: session, part: part, parts: parts, content: content, lacksEvents: fields.isTrue("incomplete"))
  }
}

extension Change {
  fileprivate init?(_ fields: Fields) {
    guard let stamp = fields.stamp() else { return nil }
    if let kind = fields.text("set"), let id = fields.id("id"), let field = fields.text("field"),
      fields.text("value") != nil || !fields.has("value")
    {
      self = .set(RecordKey(RecordKind(kind), id), field: field, FieldVersion(fields.text("value"), stamp))
    } else if let deleted = Deleted(fields) {
      self = .delete(deleted, stamp)
    } else if let device = fields.id("forget") {
      self = .forget(device, stamp)
    } else if let device = fields.id("retire") {
      self = .retire(device, stamp)
    } else {
      return nil
    }
  }
}

extension Deleted {
  fileprivate init?(_ fields: Fields) {
    switch fields.text("delete") {
    case nil: return nil
    case "session":
      guard let id = fields.id("id") else { return nil }
      self = .session(id)
    case "content":
      guard case .some(.some(let content)) = fields.content() else { return nil }
      self = .content(content)
    case let kind?:
      guard let id = fields.id("id") else { return nil }
      self = .record(RecordKey(RecordKind(kind), id))
    }
  }
}
