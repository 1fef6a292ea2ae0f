/// The history belongs to no vault.
package struct NoVaultError: Error, Equatable, Sendable, CustomStringConvertible {
  package init() {}

  package var description: String {
    "this history is in no vault; type: stressmon sync init FOLDER, or: stressmon sync join FOLDER"
  }
}

/// Exchanges the history with the folder of its vault once. Hold the ``SyncLock`` of the history.
/// - Parameters:
///   - announcements: The keys of this device. Those that its history does not know yet are learned, after the changes of the user
///     are known and in the transaction that stores what follows from it.
///   - wall: The machine's clock in ms since 1970.
///   - generator: For a new identifier of a restored history.
/// - Throws: ``NoVaultError``, ``VaultError`` if the folder cannot be used, ``HistoryError``, ``SessionSyncError``. What was done
///   remains valid, and the next sync completes it.
package func synchronise<Crypt: FileCrypt>(
  folder: VaultFolder, codec: VaultCodec<Crypt>, history: inout StoredHistory,
  learning announcements: [KeyAnnouncement] = [], wall: Int64,
  using generator: inout some RandomNumberGenerator
) throws -> SyncReport {
  guard var device = try history.device() else { throw NoVaultError() }
  let pass = SyncPass(folder: folder, codec: codec)
  var changes = 0
  // A new device reads the vault before it compares its history with it.
  if device.own.about == nil { changes = try pass.read(&device, wall: wall, using: &generator).changes }
  try history.addLocalChanges(to: &device, wall: wall)
  for announcement in announcements { device.learn(announcement) }
  var report = try pass.run(&device, &history, wall: wall, using: &generator)
  report.changesReceived += changes
  return report
}

extension StoredHistory {
  /// Writes the values of the shared records to the history, where they differ, and saves the state of the device.
  ///
  /// ``save(_:)`` does the same after ``addLocalChanges(to:wall:)``, whose changes `device` must contain.
  package mutating func apply(_ device: SyncDevice, wall: Int64) throws {
    var device = device
    if localRecords == nil { try addLocalChanges(to: &device, wall: wall) }
    try save(device)
  }
}
