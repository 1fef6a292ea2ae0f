/// What one sync found and exchanged.
package struct SyncReport: Sendable {
  /// The faults of the folder.
  package var findings: [Finding] = []
  /// Sessions that were stored in the history.
  package var sessionsReceived = 0
  /// Sessions of which files were written.
  package var sessionsSent = 0
  /// Changes of records, tombstones and devices that were new to this device.
  package var changesReceived = 0
  /// Changes in the files that were written; the whole shared state if it replaces earlier files.
  package var changesSent = 0
  package var filesWritten = 0
  /// Sessions that were erased from the history because another device deleted them.
  package var sessionsErased = 0

  package init() {}

  mutating func add(_ plan: FolderPlan) {
    var sessions: Set<SharedID> = []
    for file in plan.files {
      switch file.content {
      case .about: break
      case .part(let part): sessions.insert(part.session)
      case .changes(let changes): changesSent += changes.count
      }
    }
    sessionsSent += sessions.count
    filesWritten += plan.files.count
  }
}
