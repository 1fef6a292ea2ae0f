/// One device of a vault as a value: local changes and files in; findings, sessions to store and files to write out.
///
/// It does no I/O. The state is saved with the history before the files of a ``FolderPlan`` are written, so numbers are never used
/// twice; files that a killed program did not write are found to be missing and are written by the next sync.
package struct SyncDevice: Sendable {
  package internal(set) var id: SharedID
  package let name: String
  /// The key from which ``id`` is derived. A device of format 1 has none until it reads the folder.
  package internal(set) var signingKey: DeviceKey?
  /// See ``About/replaced``.
  package internal(set) var replaced: FileID?
  package internal(set) var clock = HybridClock()
  package internal(set) var state = SharedState()
  /// Local changes that no file contains yet.
  package internal(set) var outbox: [Change] = []
  package internal(set) var keys: Set<VaultKey>
  /// The keys after the first one. A device writes the file of a key again if it is missing in the folder.
  package internal(set) var announcements: [KeyAnnouncement] = []
  package internal(set) var own = OwnFiles()
  package internal(set) var peers: [SharedID: PeerState] = [:]
  /// The sessions in the files that were read.
  package internal(set) var sessions: [SharedID: SharedSession] = [:]
  /// The sessions in the history.
  package internal(set) var localSessions: [SharedID: LocalSession] = [:]
  /// What each path contained when it was read.
  var read: [String: ReadFile] = [:]
  /// Devices with fast clocks, and the first stamp of each that was too far ahead to adopt.
  var rejectedStamps: [SharedID: Stamp] = [:]
  /// The fields that lost all of their versions when a key was learned.
  var emptied: [RecordKey: Set<String>] = [:]
  /// Whether the folder contains a later key that this device does not have.
  package internal(set) var isPaused = false
  /// Whether the next file contains the whole shared state.
  var needsSnapshot = false

  /// The highest number of a file of this device in the folder or in the `about.age` of another device, and the version of its
  /// own `about.age`.
  var foundNumber = 0
  var foundAbout = 0

  /// Number of files with changes after which they are replaced by one.
  package let changeFileLimit: Int

  /// A path in the folder.
  struct ReadFile: Sendable {
    var signature: UInt64
    var reference: FileReference?
    /// The device whose `about.age` it is.
    var about: SharedID?
    /// The path to which the file was written, if it is another one.
    var expected: String?
    var finding: SyncFinding?
  }

  /// A new device.
  package init(signingKey: DeviceKey, name: String, key: VaultKey, changeFileLimit: Int = 64) {
    self.init(id: signingKey.id, name: name, key: key, changeFileLimit: changeFileLimit)
    self.signingKey = signingKey
  }

  /// A device of format 1.
  package init(id: SharedID, name: String, key: VaultKey, changeFileLimit: Int = 64) {
    self.id = id
    self.name = name
    keys = [key]
    self.changeFileLimit = changeFileLimit
  }

  /// The key for which new files are encrypted.
  ///
  /// Not the key of a forgotten device, which may have re-keyed before it received that it was forgotten.
  package var key: VaultKey {
    keys.filter { state.forgotten[$0.writer] == nil }.max() ?? keys.max() ?? VaultKey(epoch: 0, writer: id)
  }

  /// The session of the history with the identifier or the content of a shared one.
  func localSession(_ id: SharedID) -> SharedID? {
    if localSessions[id] != nil { return id }
    guard let content = sessions[id]?.content else { return nil }
    return localSessions.filter { $0.value.content == content }.keys.min()
  }

  /// A path of the folder with this content, if it is still there.
  package func path(of reference: FileReference) -> String? {
    read.filter { $0.value.reference == reference }.keys.min()
  }

  /// Continues under the identifier of a new key, because numbers of the previous one were used by another copy of this history, or
  /// because that had no key. The previous identifier is retired: this device writes its sessions again if no other one publishes
  /// them.
  ///
  /// The versions of `about.age` continue, because ``Receipt``s refer to them.
  mutating func renew(_ newKey: DeviceKey, wall: Int64) {
    var peerState = peers[id] ?? PeerState()
    peerState.written = own.written
    peerState.withdrawn = own.withdrawn
    // A program that was killed saved a later version than it wrote.
    peerState.aboutVersion = own.writtenAbout
    peers[id] = peerState
    let (previous, about) = (id, own.about)
    (id, signingKey) = (newKey.id, newKey)
    own = OwnFiles()
    own.about = about
    (foundNumber, foundAbout) = (0, 0)
    // Files are read again, because they belong to another device now.
    read = [:]
    change(.retire(previous, clock.stamp(id, wall: wall)))
    needsSnapshot = true
  }

  /// Gives a device of format 1 a signing key. Call it after the folder was read, which shows whether the history is older than the
  /// folder, and read the folder again. A device that lacks a later key waits for it, because the version of its `about.age` in
  /// ``KeyAnnouncement/known`` belongs to its identifier.
  /// - Returns: ``SyncFinding/upgraded(old:new:)``, or `nil` if nothing changed.
  package mutating func upgrade(wall: Int64, using generator: inout some RandomNumberGenerator)
    -> SyncFinding?
  {
    guard signingKey == nil, !isPaused else { return nil }
    let previous = FileID(id, own.written)
    renew(DeviceKey(using: &generator), wall: wall)
    replaced = previous
    return .upgraded(old: previous.device, new: id)
  }
}

// MARK: - Local changes

extension SyncDevice {
  /// Changes a field of a record; nothing if the record is deleted.
  package mutating func edit(_ key: RecordKey, _ field: String, _ value: String?, wall: Int64) {
    let stamp = clock.stamp(id, wall: wall, after: state.records[key]?[field]?.stamp)
    change(.set(key, field: field, FieldVersion(value, stamp)))
  }

  package mutating func deleteRecord(_ key: RecordKey, wall: Int64) {
    change(.delete(.record(key), clock.stamp(id, wall: wall)))
  }

  /// Adds a session of the history, or states its current number of parts.
  package mutating func setLocalSession(_ session: SharedID, _ localSession: LocalSession) {
    localSessions[session] = localSession
  }

  /// The user deleted the session from the history.
  package mutating func deleteSession(_ session: SharedID, wall: Int64) {
    let content = localSessions.removeValue(forKey: session)?.content ?? sessions[session]?.content
    change(.delete(.session(session), clock.stamp(id, wall: wall)))
    if let content { change(.delete(.content(content), clock.stamp(id, wall: wall))) }
  }

  /// The history erased the session because of a tombstone.
  package mutating func didErase(_ session: SharedID) { localSessions[session] = nil }

  /// Deletes a record that the history deleted together with a session, because of the tombstone of the session.
  mutating func deleteRecord(_ key: RecordKey, becauseOf tombstone: ReceivedStamp) {
    let change = Change.delete(.record(key), tombstone.stamp)
    if state.merge(change, tombstone.receipt) { outbox.append(change) }
  }

  mutating func change(_ change: Change) {
    if state.merge(change) { outbox.append(change) }
  }
}

// MARK: - Keys

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
  /// What this device received in files of older keys after its last `about.age` that the writer of the key had read may come
  /// from the forgotten device, also if it is in a file of another device, which received it from there or whose shared key
  /// signed it. It is removed; the other devices write their own changes again when they learn the key. Changes of this device
  /// and sessions remain.
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
      if key.kind == .cut, let session = localSession(key.id) { localSessions[session]?.lacksEvents = true }
    }
    for (peer, peerState) in peers {
      for (number, file) in peerState.files where !announcement.covers(file.receipt, on: device) {
        peers[peer]?.files[number] = nil
        guard let session = file.session else { continue }
        sessions[session]?.remove(FileID(peer, number))
        // The other files of the session state them again.
        sessions[session]?.total = nil
        sessions[session]?.content = nil
      }
    }
  }

  /// Keeps deleted times that a trusted file repeats.
  mutating func keepRepeatedDeletions() {
    for (key, fields) in emptied where key.kind == .cut {
      guard fields.allSatisfy({ state.records[key]?[$0] != nil }), let session = localSession(key.id) else {
        continue
      }
      localSessions[session]?.lacksEvents = false
      emptied[key] = nil
    }
  }

  /// Reads files with faults again, and files whose content may have been replaced by changes that are removed now.
  private mutating func readAgain() {
    read = read.filter { _, entry in
      guard entry.finding == nil else { return false }
      guard let file = entry.reference?.file, file.device != id else { return true }
      guard let session = peers[file.device]?.files[file.number]?.session else { return false }
      return sessions[session]?.total != nil && sessions[session]?.content != nil
    }
  }
}
