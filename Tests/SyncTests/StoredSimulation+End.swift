import HeartRate
import History
import Sync
import TestSupport

extension StoredSimulation {
  /// Checks, after all files reached all devices, that they agree and that nothing is lost or restored.
  mutating func checkEnd() throws {
    let remaining = accounts.indices.filter { !stolen.contains($0) }
    guard let first = remaining.first else { return }
    let expected = try rows(first)
    for index in remaining {
      if let difference = try rows(index).difference(from: expected) {
        report("devices \(first) and \(index) differ: \(difference)")
      }
      try checkSessions(index)
      try checkEntries(index)
    }
  }

  /// The rows of a device, with the content of sessions instead of the identifier that the device stored first.
  private func rows(_ device: Int) throws -> StoredRows {
    var rows = try StoredRows(location(device))
    func normalised(_ text: String) -> String {
      contents.reduce(text) { $1.value.hasPrefix("content") ? $0.replacing($1.key.text, with: $1.value) : $0 }
    }
    rows.sessions = rows.sessions.map(normalised).sorted()
    rows.measurements = rows.measurements.map(normalised).sorted()
    rows.journal = rows.journal.map(normalised).sorted()
    rows.events = Dictionary(rows.events.map { (normalised($0.key), $0.value) }) { first, _ in first }
    return rows
  }

  private mutating func checkSessions(_ index: Int) throws {
    guard let reader = try HistoryReader(location(index)) else { return }
    let sessions = try reader.sessions(limit: .max).map(\.info)
    let stored = Set(sessions.compactMap { contents[$0.id] })
    for id in accounts[index].sessions {
      guard let content = contents[id], !everDeletedContents.contains(content) else { continue }
      if !stored.contains(content) { report("session \(content) of device \(index) is lost") }
    }
    for id in accounts[index].deletedSessions where sessions.contains(where: { $0.id == id }) {
      report("the deleted session \(id) is restored on device \(index)")
    }
    for account in accounts.indices where !stolen.contains(account) {
      for (id, cuts) in accounts[account].cuts {
        guard let session = sessions.first(where: { contents[$0.id] == contents[id] }) else { continue }
        for event in reader.events(of: session.id) {
          let time = event.wall ?? session.started.advanced(ticks: event.at.ticks)
          if cuts.contains(where: { $0.contains(time) }) {
            report("deleted events of session \(session.id) are restored on device \(index)")
            break
          }
        }
      }
    }
  }

  private mutating func checkEntries(_ index: Int) throws {
    let entries = try entries(index)
    let tokens = entries.compactMap(\.triggers.first)
    if !hasConcurrentKeys {
      for text in tokens + entries.compactMap(\.note) where forbidden.contains(text) {
        report("\(text) of a forgotten device is in the journal of device \(index)")
      }
    }
    if Set(tokens).count != tokens.count {
      report("journal entries of device \(index) are duplicates: \(tokens.sorted())")
    }
    for account in accounts.indices where !stolen.contains(account) {
      for token in accounts[account].entries
      where !everDeletedEntries.contains(token) && !tokens.contains(token) && everDeletedContents.isEmpty {
        report("entry \(token) of device \(account) is lost on device \(index)")
      }
      for token in accounts[account].deletedEntries where tokens.contains(token) {
        report("the deleted entry \(token) is restored on device \(index)")
      }
    }
  }
}
