import Age
import Localization
import NetworkCommands
import Sync

/// `sync forget`, `sync passphrase` and `sync recovery`.
enum SyncKeys {
  // MARK: forget

  static func forget(
    _ member: inout SyncMember, device name: String, _ secret: SecretOptions, isConfirmed: Bool
  ) throws {
    let (membership, ring) = try member.membership()
    let folder = try VaultFolder(membership.folder)
    // Reads the folder first, because the new key must be later than all others.
    try SyncRun.run(&member).print(asJSON: false)
    let device = try member.device()
    let target = try KnownDevice.find(name, device, folder)
    guard !target.isOwn else {
      throw SyncFailure(
        Phrase("\(target.name) is this device; to stop exchanging, type: stressmon sync leave"))
    }
    guard !target.isForgotten else { throw SyncFailure(Phrase("\(target.name) is forgotten already")) }
    // A later key may exclude another device, which must not receive the next one.
    if let later = try KeyFileDifferences(folder, member.store, ring, restores: false).new.first {
      throw missingKey(later, member)
    }
    printLine(ReadableData(device).text(target.name))
    if !isConfirmed { try SecretInput.confirm(localized("Forget \(target.name)?")) }
    let passphrase = try SecretInput.passphrase(secret)
    let access = VaultAccess(folder)
    try access.verify(.passphrase(passphrase), for: ring)
    try replaceKey(&member, target.id, passphrase, access)
    try SyncRun.run(&member).print(asJSON: false)
    printLine(
      localized(
        """
        \(target.name) cannot read what is written from now on. On each other device, type the passphrase once in: stressmon sync \
        join FOLDER
        The recovery key changed; print it with: stressmon sync recovery
        """))
  }

  private static func missingKey(_ name: String, _ member: SyncMember) -> SyncFailure {
    SyncFailure(
      Phrase(
        "this device does not have the key of \(name); first type: \("stressmon sync join FOLDER".naming(member.folder))"
      ))
  }

  /// Stores the new key. The next exchange makes the device use it, so an interruption leaves no key without its file.
  private static func replaceKey(
    _ member: inout SyncMember, _ target: SharedID, _ passphrase: Passphrase, _ access: VaultAccess
  ) throws {
    let lock = try member.lock()
    var (_, ring) = try member.membership()
    var device = try member.device()
    let file = KeyFile(
      announcement: try device.forget(target, wall: SyncMember.now), identity: X25519Identity())
    try access.write(file, passphrase, member.store)
    ring.add(file)
    try member.store.save(ring)
    withExtendedLifetime(lock) {}
  }

  // MARK: passphrase

  static func changePassphrase(_ member: SyncMember, newFile: String?, _ secret: SecretOptions) throws {
    let (membership, ring) = try member.membership()
    let folder = try VaultFolder(membership.folder)
    try folder.description().check(
      vault: ring.vault, recipient: ring.crypt(for: member.device()).firstRecipient)
    let known = Set(ring.keys.map { KeyFile.name(of: $0.announcement.key) })
    if let unknown = folder.keyFileNames().first(where: { !known.contains($0) }) {
      throw missingKey(unknown, member)
    }
    let access = VaultAccess(folder)
    try access.verify(SecretInput.secret(secret, localized("Current passphrase or recovery key")), for: ring)
    let passphrase = try SecretInput.newPassphrase(newFile)
    let lock = try member.lock()
    try access.changePassphrase(ring, to: passphrase, member.store)
    withExtendedLifetime(lock) {}
    printLine(
      localized(
        """
        The passphrase is changed. Devices that joined before need no passphrase; they report the changed file until you type the \
        new passphrase once in: stressmon sync join FOLDER
        """))
  }

  // MARK: recovery

  static func printRecoveryKey(_ member: SyncMember, _ secret: SecretOptions) throws {
    let (membership, ring) = try member.membership()
    let access = VaultAccess(try VaultFolder(membership.folder))
    try access.verify(SecretInput.secret(secret, localized("Passphrase of \(membership.folder)")), for: ring)
    let key = try member.device().key
    guard let file = ring[key] else { throw KeyStoreError.missingKey(key) }
    printLine("# " + localized("recovery key of \(membership.folder), key \(key.epoch)"))
    printLine(file.identity.secretText)
  }
}

/// The sessions and journal entries that every device of a vault can read.
struct ReadableData {
  private let sessions: [SharedID]
  private let entries: Int

  init(_ device: SyncDevice) {
    sessions = device.sessions.filter { !device.state.isDeleted($0.key, $0.value.content) }.keys.sorted()
    entries = device.state.records.keys.count { $0.kind == .journal }
  }

  func text(_ name: String) -> String {
    var known = Phrase("\(sessions.count) session", "\(sessions.count) sessions", count: sessions.count)
    if let first = sessions.first, let last = sessions.last {
      known = Phrase("\(known) (\("\(first.creation.localDay)") to \("\(last.creation.localDay)"))")
    }
    let journal = Phrase("\(entries) journal entry", "\(entries) journal entries", count: entries)
    return localized(
      """
      Until now, \(name) could read everything in the folder: \(known), \(journal), profiles and straps. Copies of these data \
      on \(name) remain readable there.
      """)
  }
}
