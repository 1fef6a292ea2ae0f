import HeartRate
import JSONLines
import Localization
import NetworkCommands
import Platform
import Sync

/// `sync status` and `sync devices`.
enum SyncState {
  static func printDevices(_ member: SyncMember, asJSON: Bool) throws {
    let (membership, _) = try member.membership()
    let folder = try? VaultFolder(membership.folder)
    for device in KnownDevice.all(try member.device(), folder) {
      printLine(asJSON ? device.json : device.line)
    }
  }

  /// Prints what is stored, and compares it with the folder without changing anything.
  static func printStatus(_ member: inout SyncMember, asJSON: Bool) throws {
    let (membership, ring) = try member.membership()
    let device = try member.device()
    let last = SyncStatusFile(member.store)
    do {
      let pending = try PendingSync(&member, device, membership, ring)
      write(membership, device, last, pending, error: last.error, asJSON: asJSON)
    } catch {
      let failure = SyncFailure(error, folder: membership.folder)
      write(membership, device, last, nil, error: failure.message.description, asJSON: asJSON)
      throw failure
    }
  }

  private static func write(
    _ membership: SyncMembership, _ device: SyncDevice, _ last: SyncStatusFile, _ pending: PendingSync?,
    error: String?, asJSON: Bool
  ) {
    if asJSON {
      printLine(json(membership, device, last, pending, error: error))
      return
    }
    let exchange = last.succeeded.map(LocalZone.text) ?? localized("none")
    // Without `pending`, the error is printed by the caller.
    printRows([
      (localized("Folder:"), membership.folder), (localized("Device:"), "\(device.name) (\(device.id))"),
      (localized("Format:"), format(of: device)), (localized("Last exchange:"), exchange),
      (localized("Pending:"), pending?.text), (localized("Last error:"), pending == nil ? nil : last.error),
    ])
    guard let pending else { return }
    for warning in pending.warnings { warning.printAsWarning() }
  }

  /// Prints the rows that have a value, the values in one column.
  private static func printRows(_ rows: [(label: String, value: String?)]) {
    let width = (rows.map(\.label.count).max() ?? 0) + 2
    for row in rows {
      guard let value = row.value else { continue }
      printLine(row.label + String(repeating: " ", count: width - row.label.count) + value)
    }
  }

  /// The format of this device, and the names of those that use format 1.
  private static func format(of device: SyncDevice) -> String {
    guard device.signingKey != nil else {
      return localized("1; the next sync signs the files of this device (format 2)")
    }
    let old = KnownDevice.all(device, nil).filter(\.isUpdateNeeded).map(\.name)
    guard !old.isEmpty else { return localized("2, all files are signed") }
    let names = old.joined(separator: ", ")
    return localized(
      "2; \(names) still uses format 1: update stressmon there, then sync",
      "2; \(names) still use format 1: update stressmon there, then sync", count: old.count)
  }

  private static func json(
    _ membership: SyncMembership, _ device: SyncDevice, _ last: SyncStatusFile, _ pending: PendingSync?,
    error: String?
  ) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("folder", membership.folder)
      line.put("vault", membership.vault.text)
      line.put("device", device.id.text)
      line.put("name", device.name)
      line.put("format", device.signingKey == nil ? 1 : 2)
      line.put("devices_format_1", texts: KnownDevice.all(device, nil).filter(\.isUpdateNeeded).map(\.name))
      line.put("last_exchange", last.succeeded?.rfc3339)
      line.put("error", error)
      line.put("files_to_write", pending?.files)
      line.put("sessions_to_receive", pending?.sessions)
      line.put("needs_passphrase", pending?.needsPassphrase)
      line.put("warnings", texts: pending?.warnings.map(\.description) ?? last.warnings)
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}

/// What the next exchange would do, computed on a copy of the device.
struct PendingSync {
  let files: Int
  let sessions: Int
  /// Whether the folder contains a key that this device does not have.
  let needsPassphrase: Bool
  let warnings: [FolderMessage]

  init(
    _ member: inout SyncMember, _ device: SyncDevice, _ membership: SyncMembership, _ ring: KeyRing
  ) throws {
    let folder = try VaultFolder(membership.folder)
    var device = device
    let crypt = try ring.crypt(for: device)
    try folder.description().check(vault: ring.vault, recipient: crypt.firstRecipient)
    let differences = try KeyFileDifferences(folder, member.store, ring, restores: false)
    let codec = VaultCodec(vault: ring.vault, crypt: crypt)
    var generator = SystemRandomNumberGenerator()
    try member.history.addLocalChanges(to: &device, wall: SyncMember.now)
    for key in ring.keys { device.learn(key.announcement) }
    let received = try SyncPass(folder: folder, codec: codec).read(
      &device, wall: SyncMember.now, using: &generator)
    let current = try codec.encrypting(for: device.key)
    files = device.publish(wall: SyncMember.now, tag: current.tag).files.count
    sessions = received.sessions.count
    needsPassphrase = !differences.new.isEmpty
    let findings = received.findings.filter { if case .upgraded = $0 { false } else { true } }
    warnings = SyncWarnings(differences, findings, device).sentences.map {
      FolderMessage($0, membership.folder)
    }
  }

  var text: String {
    if files == 0, sessions == 0 { return localized("nothing") }
    let written = Phrase("\(files) file to write", "\(files) files to write", count: files)
    let received = Phrase(
      "\(sessions) session to receive", "\(sessions) sessions to receive", count: sessions)
    return localized("\(written), \(received); type: \("stressmon sync")")
  }
}
