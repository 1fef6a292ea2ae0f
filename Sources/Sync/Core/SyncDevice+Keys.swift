extension SyncDevice {
  /// Forgets `device`; the following files are encrypted for a new key. Read the folder first.
  /// - Returns: The new key, whose identity the caller creates.
  /// - Throws: ``VaultError/noLaterKey`` if the key files contain the greatest epoch.
  package mutating func forget(_ device: SharedID, wall: Int64) throws(VaultError) -> KeyAnnouncement {
    let epoch = keys.map(\.epoch).max() ?? 0
    guard epoch < Fields.numberLimit else { throw .noLaterKey }
    var known = peers.compactMapValues { $0.aboutVersion > 0 ? $0.aboutVersion : nil }
    known[id] = own.aboutVersion + 1
    let new = KeyAnnouncement(
      key: VaultKey(epoch: epoch + 1, writer: id), forgotten: device, stamp: clock.stamp(id, wall: wall),
      known: known)
    learn(new)
    return new
  }

  /// The identity of a key became known. Files that could not be opened are read again, and the whole shared state is written
  /// for the new key, because it may contain changes that only the forgotten device wrote.
  ///
  /// What this device received in files of older keys after its last `about` that the writer of the key had read may come from
  /// the forgotten device, also if it is in a file of another one, which received it from there or whose shared key signed it. It is
  /// removed; the other devices write their own changes again when they learn the key. Changes of this device and sessions remain.
  package mutating func learn(_ announcement: KeyAnnouncement) {
    guard keys.insert(announcement.key).inserted else { return }
    announcements.append(announcement)
    removeUntrusted(announcement)
    if let device = announcement.forgotten { change(.forget(device, announcement.stamp)) }
    readAgain()
    needsSnapshot = true
  }

  private mutating func removeUntrusted(_ announcement: KeyAnnouncement) {
    let device = id
    for (key, fields) in state.removeUntrusted({ announcement.covers($0, on: device) }) {
      emptied[key, default: []].formUnion(fields)
      // The history deleted these events; another device has them.
      if key.kind == .cut, let session = localSession(key.id) { held[session]?.lacksEvents = true }
    }
    for (peer, ledger) in peers {
      for (number, file) in ledger.files where !announcement.covers(file.receipt, on: device) {
        peers[peer]?.files[number] = nil
        guard let session = file.session else { continue }
        sessions[session]?.remove(FileID(peer, number))
        // The other files of the session state them again.
        sessions[session]?.total = nil
        sessions[session]?.content = nil
      }
    }
  }

  /// Cuts that a trusted file repeats remain.
  mutating func keepRepeatedCuts() {
    for (key, fields) in emptied where key.kind == .cut {
      guard fields.allSatisfy({ state.records[key]?[$0] != nil }), let session = localSession(key.id) else {
        continue
      }
      held[session]?.lacksEvents = false
      emptied[key] = nil
    }
  }

  /// Reads files with faults again, and files whose content may have been replaced by changes that are removed now.
  private mutating func readAgain() {
    read = read.filter { _, entry in
      guard entry.finding == nil else { return false }
      guard let file = entry.carrier?.file, file.device != id else { return true }
      guard let session = peers[file.device]?.files[file.number]?.session else { return false }
      return sessions[session]?.total != nil && sessions[session]?.content != nil
    }
  }
}
