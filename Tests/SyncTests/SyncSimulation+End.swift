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
      if device.state.changes != state.changes {
        report("the records or tombstones of devices \(first) and \(index) differ")
      }
      if contents(index) != sessions { report("the sessions of devices \(first) and \(index) differ") }
      for (id, localSession) in device.localSessions where device.state.isDeleted(id, localSession.content) {
        report("session \(id) is deleted, but stored on device \(index)")
      }
      for id in forbidden where device.localSessions[id] != nil {
        report("session \(id) of a forgotten device is accepted")
      }
      if !hasConcurrentKeys { checkForbidden(index) }
      checkAccount(index)
      checkFiles(index)
    }
  }

  /// Nothing remains of what a device changed after it was forgotten.
  private mutating func checkForbidden(_ index: Int) {
    let state = devices[index].device.state
    for (key, fields) in state.records {
      for (name, field) in fields where forbiddenChanges.values.contains(field.value ?? "") {
        report("\(name) of record \(key.id) on device \(index) has a value of a forgotten device")
      }
    }
    let deleted = forbiddenChanges.deleted.subtracting(forbiddenChanges.permitted)
    for target in deleted where state.tombstones[target] != nil {
      report("\(target) is deleted on device \(index) for a forgotten device")
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
    for (_, localSession) in devices[index].device.localSessions {
      if let content = localSession.content, localSession.hasEnded { result[content] = localSession.parts }
    }
    return result
  }

  private mutating func checkAccount(_ index: Int) {
    let (device, account) = (devices[index].device, devices[index].account)
    for session in account.stored where device.localSessions[session] == nil {
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
    for (key, name, version) in account.edits where device.state.tombstones[.record(key)] == nil {
      guard let current = device.state.records[key]?[name]?.entries.last?.version else {
        report("field \(name) of record \(key.id) is lost")
        continue
      }
      if current < version { report("value \(version) of record \(key.id) is lost") }
    }
  }

  /// Whether the session had this content on any device.
  private func lost(_ session: SharedID, _ content: SessionContent) -> Bool {
    content.fingerprint < 100 || content.fingerprint == session.bits - 1000 + 100
  }
}
