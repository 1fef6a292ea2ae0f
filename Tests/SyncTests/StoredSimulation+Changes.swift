import HeartRate
import History
import Sync
import TestSupport

extension StoredSimulation {
  mutating func startSession(_ device: Int, _ id: Int, _ content: Int) throws {
    let isImported = content < 100
    var session = StoredFixtures.session(
      seed: isImported ? UInt64(content) : UInt64(1000 + id), profile: id % 3 == 0 ? "anna" : "me",
      seconds: (isImported ? content : id) % 4 == 0 ? 400 : 90,
      startedHoursLater: isImported ? content : id + 10,
      fingerprint: isImported ? UInt8(content + 1) : nil)
    // Some are sessions of `measure`, with or without a result.
    switch (isImported ? content : id) % 6 {
    case 1: session.readings = StoredFixtures.reading(of: session).map { [$0] }
    case 5: session.readings = []
    default: break
    }
    var stored = session
    // The same file gets another ID on each device.
    if isImported { stored.info.id = SessionID(started: session.info.started, using: &world.random) }
    let outcome = try HistoryImport(location(device)).transaction(at: StoredWorld.now) {
      try $0.store(stored)
    }
    guard case .stored = outcome else { return }
    try BaselineUpdater(location(device)).learn(
      stored.info.profile, today: StoredWorld.today, at: StoredWorld.now)
    contents[stored.info.id] = isImported ? "content \(content) \(stored.info.profile)" : stored.info.id.text
    accounts[device].sessions.insert(stored.info.id)
  }

  func sessions(_ device: Int) throws -> [StoredSession] {
    try HistoryReader(location(device))?.sessions(limit: .max).sorted { $0.info.id < $1.info.id } ?? []
  }

  mutating func deleteSession(_ device: Int, _ pick: Int) throws {
    let found = try sessions(device)
    guard !found.isEmpty else { return }
    let id = found[pick % found.count].info.id
    try noteCascade(id, device)
    _ = try HistoryEraser(location(device)).delete(
      .session(id), today: StoredWorld.today, at: StoredWorld.now)
    accounts[device].deletedSessions.insert(id)
    guard let content = contents[id] else { return }
    if stolen.contains(device) {
      wronglyDeletedContents.insert(content)
    } else {
      everDeletedContents.insert(content)
    }
  }

  /// Entries about a deleted session are deleted with it.
  private mutating func noteCascade(_ id: SessionID, _ device: Int) throws {
    for entry in try entries(device) where entry.session == id { noteDeletion(entry, device) }
  }

  private mutating func noteDeletion(_ entry: JournalEntry, _ device: Int) {
    let token = entry.triggers.first ?? ""
    accounts[device].deletedEntries.insert(token)
    if stolen.contains(device) {
      wronglyDeletedEntries.insert(token)
    } else {
      everDeletedEntries.insert(token)
    }
  }

  mutating func cutSession(_ device: Int, _ pick: Int) throws {
    let found = try sessions(device)
    guard !found.isEmpty else { return }
    let session = found[pick % found.count].info
    let from = session.started.advanced(ticks: Int64(20 + pick) * 80_000_000)
    let times = from..<from.advanced(ticks: 15 * 80_000_000)
    for entry in try entries(device) where times.contains(entry.time) { return }
    let summary = try HistoryEraser(location(device)).delete(
      .times(times, of: session.profile), today: StoredWorld.today, at: StoredWorld.now)
    if summary.cutSessions > 0 { accounts[device].cuts[session.id, default: []].append(times) }
  }

  func entries(_ device: Int) throws -> [JournalEntry] {
    guard let reader = try HistoryReader(location(device)) else { return [] }
    return try reader.profiles().flatMap { try reader.journal(of: $0) }.sorted {
      ($0.triggers.first ?? "") < ($1.triggers.first ?? "")
    }
  }

  mutating func addEntry(_ device: Int, _ index: Int, _ pick: Int) throws {
    let found = try sessions(device)
    let session = pick % 2 == 0 && !found.isEmpty ? found[pick % found.count].info : nil
    let token = "t\(index)"
    _ = try HistoryWriter(location(device)).addToJournal(
      JournalEntry(
        profile: session?.profile ?? "me", time: StoredWorld.now, utcOffset: 0, session: session?.id,
        triggers: [token],
        note: "first"))
    accounts[device].entries.insert(token)
    sessionContents[token] = session.flatMap { contents[$0.id] }
    if stolen.contains(device) { forbidden.insert(token) }
  }

  mutating func edit(_ device: Int, _ record: Int, _ field: Int, _ value: Int) throws {
    if record == 3 { return try rename(device, value) }
    let found = try entries(device)
    guard !found.isEmpty else { return try addEntry(device, 1000 + value, record) }
    let entry = found[record % found.count]
    if stolen.contains(device) {
      if field == 0 { forbidden.insert("v\(value)") }
    } else {
      // A person who edits an entry adopts it.
      forbidden.subtract([entry.triggers.first ?? "", entry.note ?? ""])
    }
    _ = try HistoryWriter(location(device)).editJournal(entry.id, of: entry.profile) { entry in
      switch field {
      case 0: entry.note = "v\(value)"
      case 1: entry.mood = Mood(1 + value % 10)
      default: entry.note = nil
      }
    }
  }

  private func rename(_ device: Int, _ value: Int) throws {
    guard let reader = try HistoryReader(location(device)) else { return }
    let names = try reader.profiles()
    let new = ["anna", "ben", "carl"][value % 3]
    guard !names.contains(new), let old = names.sorted().first(where: { $0 != "me" }) ?? names.first else {
      return
    }
    try HistoryWriter(location(device)).renameProfile(
      old, to: new, at: location(device), time: StoredWorld.now)
  }

  mutating func deleteEntry(_ device: Int, _ record: Int) throws {
    let found = try entries(device)
    guard !found.isEmpty else { return }
    let entry = found[record % found.count]
    _ = try HistoryEraser(location(device)).delete(
      .journalEntry(entry.id, of: entry.profile), today: StoredWorld.today, at: StoredWorld.now)
    noteDeletion(entry, device)
  }
}
