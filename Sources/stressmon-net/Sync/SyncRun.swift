import Age
import Platform
import Sync

/// One exchange with the folder.
struct SyncRun {
  /// What an exchange did, and the faults that it found.
  struct Result {
    var report: SyncReport
    var folder: String
    /// Sentences for the user.
    var warnings: [String]
  }

  /// Exchanges everything. Saves the result for `sync status`.
  static func run(_ member: inout SyncMember) throws -> Result {
    let lock = try member.lock()
    defer { withExtendedLifetime(lock) {} }
    let (membership, ring) = try member.membership()
    do {
      let result = try run(&member, membership, ring)
      SyncStatusFile(result).save(member.store)
      return result
    } catch {
      let failure = SyncFailure(error, folder: membership.folder)
      SyncStatusFile(failure, previous: SyncStatusFile(member.store)).save(member.store)
      throw failure
    }
  }

  private static func run(
    _ member: inout SyncMember, _ membership: SyncMembership, _ ring: KeyRing
  ) throws -> Result {
    let folder = try VaultFolder(membership.folder)
    var device = try member.device()
    try learn(ring, &device, &member)
    let crypt = try ring.crypt(for: device)
    try folder.description().check(vault: ring.vault, recipient: crypt.firstRecipient)
    let differences = try KeyFileDifferences(folder, member.store, ring)
    var generator = SystemRandomNumberGenerator()
    let report = try synchronise(
      folder: folder, codec: VaultCodec(vault: ring.vault, crypt: crypt), history: &member.history,
      wall: SyncMember.now, using: &generator)
    let names = DeviceNames(try member.device())
    return Result(
      report: report, folder: membership.folder,
      warnings: (differences.warnings + report.findings.map(names.text)).map { $0.naming(membership.folder) })
  }

  /// Adds keys that were stored but that the device does not know, because the program was killed or `join` read them.
  private static func learn(_ ring: KeyRing, _ device: inout SyncDevice, _ member: inout SyncMember) throws {
    let unknown = ring.keys.map(\.announcement).filter { !device.keys.contains($0.key) }
    guard !unknown.isEmpty else { return }
    for announcement in unknown { device.learn(announcement) }
    try member.history.save(device)
  }
}

/// The names of devices in messages.
struct DeviceNames {
  private let names: [SharedID: String]

  init(_ device: SyncDevice) {
    var names = device.peers.mapValues(\.name)
    names[device.id] = device.name
    self.names = names
  }

  /// The sentence of a finding, with the names of devices before their IDs.
  func text(_ finding: Finding) -> String {
    names.reduce(finding.description) { text, entry in
      guard !entry.value.isEmpty else { return text }
      let name = entry.value.withoutControlCharacters
      return text.replacing("device \(entry.key)", with: "device \(name) (\(entry.key))")
    }
  }
}
