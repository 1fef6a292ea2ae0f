import Age
import Glibc
import Localization
import NetworkCommands
import Platform
import Sync

/// `sync init`, `sync join` and `sync leave`.
enum SyncSetup {
  // MARK: init

  static func initialize(
    _ member: inout SyncMember, folder: String, name: String?, _ secret: SecretOptions, isConfirmed: Bool
  ) throws {
    try requireNoMembership(member)
    // Before anything is created: without a terminal, the command cannot succeed.
    let prompt = TerminalPrompt()
    guard isConfirmed || prompt != nil else {
      throw SyncFailure(Phrase("there is no terminal to confirm the recovery key; add --yes"), status: 64)
    }
    let path = try newFolder(folder)
    let passphrase = try SecretInput.newPassphrase(secret.passphraseFile)
    var generator = SystemRandomNumberGenerator()
    let signingKey = DeviceKey(using: &generator)
    let ring = VaultAccess.newRing(device: signingKey.id, wall: SyncMember.now, using: &generator)
    let recoveryKey = ring.keys[0].identity.secretText
    if isConfirmed {
      printLine(localized("Recovery key, which opens the folder if the passphrase is lost: \(recoveryKey)"))
    } else if let prompt {
      try SecretInput.confirm(recoveryKey: recoveryKey, prompt)
    }
    try create(&member, signingKey, ring, passphrase, path, name)
    printLine(localized("Created \(path). On your other machines, type: stressmon sync join FOLDER"))
  }

  /// Keys first, and the membership last: a vault that was created by a killed program can be joined with the passphrase.
  private static func create(
    _ member: inout SyncMember, _ signingKey: DeviceKey, _ ring: KeyRing, _ passphrase: Passphrase,
    _ path: String,
    _ name: String?
  ) throws {
    let lock = try member.lock()
    try requireNoMembership(member)
    try member.store.save(ring)
    let copy = try VaultAccess.create(path, ring, passphrase)
    try member.store.saveCopy(copy, name: KeyFile.firstName)
    try begin(&member, signingKey, ring, path, name)
    withExtendedLifetime(lock) {}
  }

  /// An empty folder, created if it does not exist.
  private static func newFolder(_ folder: String) throws -> String {
    try Folder.create(folder)
    let path = try absolute(folder)
    let names = Folder.names(in: path).filter { !$0.hasPrefix(".") }
    if names.contains(VaultDescription.name) {
      throw SyncFailure(Phrase("\(path) is the folder of another machine; type: stressmon sync join \(path)"))
    }
    guard names.isEmpty else {
      throw SyncFailure(
        Phrase(
          """
          \(path) contains other files, such as \(names[0].withoutControlCharacters); choose an empty folder, or wait until the \
          synchroniser has copied it
          """))
    }
    guard unsafe access(path, W_OK) == 0 else { throw FileError(errno: errno, path: path) }
    return path
  }

  private static func absolute(_ path: String) throws -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw FileError(errno: errno, path: path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func requireNoMembership(_ member: SyncMember) throws {
    guard let folder = member.folder else { return }
    throw SyncFailure(
      Phrase("this history exchanges with \(folder) already; to stop that, type: stressmon sync leave"))
  }

  // MARK: join

  static func join(
    _ member: inout SyncMember, folder: String, name: String?, _ secret: SecretOptions
  ) throws {
    let path = try absolute(folder)
    if let current = member.folder {
      if current != path, try !isSameVault(member, path) { try requireNoMembership(member) }
      guard name == nil else {
        throw SyncFailure(Phrase("--name has no effect: this device has a name already"), status: 64)
      }
    }
    let vault = try VaultFolder(path)
    _ = try vault.description()
    let access = VaultAccess(vault)
    let opened = try access.open(
      SecretInput.secret(secret, localized("Passphrase or recovery key of \(path)")))
    for file in opened.unopened {
      printWarning(
        Phrase("the passphrase does not open \(file); it may be forged, or have another passphrase")
      )
    }
    let lock = try member.lock()
    if try member.history.membership() == nil {
      try add(opened, to: &member, path, name)
    } else {
      try merge(opened, into: &member, path)
    }
    withExtendedLifetime(lock) {}
  }

  /// Whether another path contains the vault of this history, for example after the folder was moved.
  private static func isSameVault(_ member: SyncMember, _ path: String) throws -> Bool {
    try VaultFolder(path).description().vault == member.history.membership()?.vault
  }

  private static func add(
    _ opened: VaultAccess.Opened, to member: inout SyncMember, _ path: String, _ name: String?
  ) throws {
    try save(opened.ring, opened, member)
    var generator = SystemRandomNumberGenerator()
    try begin(&member, DeviceKey(using: &generator), opened.ring, path, name)
  }

  /// A device that joined before receives new keys.
  private static func merge(
    _ opened: VaultAccess.Opened, into member: inout SyncMember, _ path: String
  ) throws {
    guard let membership = try member.history.membership() else { throw SyncFailure.notJoined }
    guard membership.vault == opened.ring.vault else {
      throw VaultError.otherVault(expected: membership.vault, found: opened.ring.vault)
    }
    var ring = (try? member.store.load()) ?? opened.ring
    let before = Set(ring.keys.map(\.announcement.key))
    for key in opened.ring.keys where ring[key.announcement.key] == nil { ring.add(key) }
    try save(ring, opened, member)
    if membership.folder != path { try member.history.setFolder(path) }
    let added = ring.keys.count - before.count
    printLine(
      added > 0
        ? localized("\(added) new key read.", "\(added) new keys read.", count: added)
        : localized("The passphrase is right; there is no new key."))
  }

  private static func save(_ ring: KeyRing, _ opened: VaultAccess.Opened, _ member: SyncMember) throws {
    try member.store.save(ring)
    for (name, copy) in opened.copies { try member.store.saveCopy(copy, name: name) }
  }

  /// Adds the device to the vault.
  private static func begin(
    _ member: inout SyncMember, _ signingKey: DeviceKey, _ ring: KeyRing, _ path: String, _ name: String?
  ) throws {
    var device = SyncDevice(
      signingKey: signingKey, name: name ?? hostName, key: ring.keys[0].announcement.key)
    for key in ring.keys.dropFirst() { device.learn(key.announcement) }
    let membership = SyncMembership(folder: path, vault: ring.vault, name: device.name)
    try member.history.begin(device, membership)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 65)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "device" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  // MARK: leave

  static func leave(_ member: inout SyncMember, isConfirmed: Bool) throws {
    guard let membership = try member.history.membership() else { throw SyncFailure.notJoined }
    if !isConfirmed {
      try SecretInput.confirm(
        localized(
          "Stop exchanging with \(membership.folder), and remove its keys from this machine? The history stays."
        )
      )
    }
    let lock = try member.lock()
    try member.history.leave()
    try member.store.remove()
    withExtendedLifetime(lock) {}
    printLine(
      localized(
        """
        Left \(membership.folder). The history of this machine and the files of the folder are unchanged. So that the other devices \
        do not wait for this one, type on one of them: stressmon sync forget \(membership.name)
        """))
  }
}
