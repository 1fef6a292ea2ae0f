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
    let warnings = SyncWarnings(differences, report.findings, try member.device())
    return Result(
      report: report, folder: membership.folder,
      warnings: warnings.sentences.map { $0.naming(membership.folder) })
  }

  /// Adds keys that were stored but that the device does not know, because the program was killed or `join` read them.
  private static func learn(_ ring: KeyRing, _ device: inout SyncDevice, _ member: inout SyncMember) throws {
    let unknown = ring.keys.map(\.announcement).filter { !device.keys.contains($0.key) }
    guard !unknown.isEmpty else { return }
    for announcement in unknown { device.learn(announcement) }
    try member.history.save(device)
  }
}
