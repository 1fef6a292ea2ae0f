import Age
import Platform
import Sync

/// One exchange with the folder.
struct SyncRun {
  /// What an exchange did, and the faults that it found.
  struct Result {
    var report: SyncReport
    var folder: String
    var warnings: [FolderMessage]
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
    let crypt = try ring.crypt(for: member.device())
    try folder.description().check(vault: ring.vault, recipient: crypt.firstRecipient)
    let differences = try KeyFileDifferences(folder, member.store, ring)
    var generator = SystemRandomNumberGenerator()
    let report = try synchronise(
      folder: folder, codec: VaultCodec(vault: ring.vault, crypt: crypt), history: &member.history,
      learning: ring.keys.map(\.announcement), wall: SyncMember.now, using: &generator)
    let warnings = SyncWarnings(differences, report.findings, try member.device())
    return Result(
      report: report, folder: membership.folder,
      warnings: warnings.sentences.map { FolderMessage($0, membership.folder) })
  }
}
