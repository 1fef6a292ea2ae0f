import Formats
import HeartRate
import Localization
import NetworkCommands
import Platform
import Reports
import SessionData
import Stress
import Terminal

/// Writes the recordings of a study as one BIDS dataset: participants as `sub-`, conditions as `task-` and sessions as `ses-`.
struct StudyDataset {
  let plan: StudyPlan
  let inventory: StudyInventory

  /// The session of recordings whose pattern has none.
  private static let session = "01"

  /// - Throws: ``CommandFailure`` if two names have the same label.
  func write(to folder: String, replacing: Bool) throws {
    try requireDifferentLabels()
    var files = ExportFolder(folder, replacing: replacing)
    let progress = StudyProgress("exporting", of: inventory.recordings.count)
    defer { progress.clear() }
    do {
      for (place, recording) in inventory.recordings.enumerated() {
        try write(recording, &files)
        progress.update(place + 1)
      }
    } catch {
      files.discard()
      throw error
    }
  }

  private func write(_ recording: StudyInventory.Recording, _ files: inout ExportFolder) throws {
    let opened = try inventory.open(recording, plan)
    let events = opened.fileSession.events
    let start = opened.start?.localized
    let content = ResearchSession(
      events, started: start?.time ?? WallTime(microseconds: 0),
      utcOffset: start?.zone.utcOffset ?? 0)
    let key = recording.key
    var dataset = try BIDSDataset(
      program: programVersion, engine: StressEngine.version, participant: try participant(key.participant),
      session: BIDSDataset.label(key.session) ?? Self.session,
      task: BIDSDataset.label(key.condition) ?? BIDSDataset.monitoring, existing: files.content)
    try dataset.write(content, events, id: recording.path, isDated: start != nil) { try files.write($0, $1) }
    try files.finish()
    try dataset.finish { try files.write($0, isTable: true, $1) }
    try files.finish()
  }

  private func participant(_ name: String) throws(CommandFailure) -> BIDSParticipant {
    guard let participant = BIDSParticipant(name) else {
      throw CommandFailure(
        .badData,
        Phrase("'\(name.printable)' cannot be a label of BIDS: use 1 to 64 of the characters A-Z a-z 0-9"))
    }
    return participant
  }

  /// Different participants or conditions must not share files.
  private func requireDifferentLabels() throws {
    let participants = try inventory.participants.map { ($0, try participant($0).label) }
    let tasks = inventory.conditions.map { ($0, BIDSDataset.label($0) ?? "") }
    for names in [participants, tasks] {
      guard
        let same = Dictionary(grouping: names, by: \.1).values.first(where: { $0.count > 1 })
      else { continue }
      throw CommandFailure(
        .badData,
        Phrase(
          "\(same.map { $0.0.printable }.joined(separator: ", ")) have the same label of BIDS, \(same[0].1.printable)"
        ))
    }
  }
}
