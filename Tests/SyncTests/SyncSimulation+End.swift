import Sync

extension SyncSimulation {
  /// Checks, after all files reached all devices, that they agree and that nothing is lost or restored.
  mutating func checkEnd() {
    let remaining = devices.indices.filter { !devices[$0].isStolen }
    guard let first = remaining.first else { return }
    let state = devices[first].device.state
    let sessions = contents(first)
    for index in remaining {
      let device = devices[index].device
      if device.state.records != state.records {
        report("the records of devices \(first) and \(index) differ")
      }
      if device.state != state { report("the tombstones of devices \(first) and \(index) differ") }
      if contents(index) != sessions { report("the sessions of devices \(first) and \(index) differ") }
      for (id, held) in device.held where device.state.isDeleted(id, held.content) {
        report("session \(id) is deleted, but stored on device \(index)")
      }
      for id in forbidden where device.held[id] != nil {
        report("session \(id) of a forgotten device is accepted")
      }
      checkAccount(index)
      checkFiles(index)
    }
  }

  /// No file of a device that still writes contains deleted data, except copies under names that are ignored and reported.
  private mutating func checkFiles(_ index: Int) {
    let device = devices[index].device
    for (path, entry) in devices[index].replica.entries {
      guard case .file(let file, _) = entry.item, file.device == device.id, case .device = VaultPath(path)
      else { continue }
      switch file.content {
      case .about: break
      case .part(let part):
        if device.state.isDeleted(part.session, part.content) { report("\(path) contains a deleted session") }
      case .changes(let changes):
        if changes.contains(where: { $0.record.map { device.state.tombstones[.record($0)] != nil } ?? false })
        {
          report("\(path) contains a deleted record")
        }
      }
    }
  }

  /// The sessions of a device, by content, with the number of parts of ended ones.
  private func contents(_ index: Int) -> [SessionContent: Int] {
    var result: [SessionContent: Int] = [:]
    for (_, held) in devices[index].device.held {
      if let content = held.content, held.hasEnded { result[content] = held.parts }
    }
    return result
  }

  private mutating func checkAccount(_ index: Int) {
    let (device, account) = (devices[index].device, devices[index].account)
    for session in account.stored where device.held[session] == nil {
      // Erased by its own tombstone or by that of its content.
      let isDeleted = device.state.tombstones.keys.contains { target in
        switch target {
        case .session(let id): id == session
        case .content(let content): device.sessions[session]?.content == content || lost(session, content)
        case .record: false
        }
      }
      if !isDeleted { report("session \(session) of device \(index) is lost") }
    }
    for session in account.deleted where device.state.tombstones[.session(session)] == nil {
      report("the deletion of session \(session) on device \(index) is lost")
    }
    for key in account.deletedRecords where device.state.tombstones[.record(key)] == nil {
      report("the deletion of record \(key.id) on device \(index) is lost")
    }
    for (key, name, value) in account.edits where device.state.tombstones[.record(key)] == nil {
      guard let field = device.state.records[key]?[name] else {
        report("field \(name) of record \(key.id) is lost")
        continue
      }
      if field.versions.count < SharedField.limit, !field.versions.contains(where: { $0.value == value }) {
        report("value \(value) of record \(key.id) is lost")
      }
    }
  }

  /// Whether the session had this content on any device.
  private func lost(_ session: SharedID, _ content: SessionContent) -> Bool {
    content.fingerprint < 100 || content.fingerprint == session.bits - 1000 + 100
  }
}
