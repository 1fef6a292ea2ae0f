import Formats
import FoundationEssentials
import HRV
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import SessionData
import Simulator
import Stress
import Terminal

/// Imports the sessions of files into the history.
struct SessionImporter {
  let input: FileOptions
  let at: BeginningArgument?
  /// The profile of `--profile`. The default is the profile in the file, else `usualProfile`.
  let profile: String?
  let usualProfile: String
  let location: StoreLocation
  /// Session time between stored measurements.
  let storeInterval: Duration
  /// The posture in which the sessions are morning readings, if they are.
  let morning: MorningPosture?
  /// Whether the sessions are nights.
  let isNight: Bool
  let isDry: Bool
  let environment: ProcessEnvironment

  /// The result for one session.
  struct Result {
    let file: String
    let session: ImportedSession
    let beats: Int
    let skipped: Int
    /// The session as a morning reading, if that is requested.
    let morning: ImportedMorning?
    /// The nights in the session, if that is requested.
    let night: ImportedNight?
    /// Absent if a dry run would store the session.
    let outcome: ImportedSession.Outcome?
  }

  /// Stores the sessions of `file` in one transaction, then calls `report` with the result of each session.
  func run(_ file: String, _ report: (Result) throws -> Void) throws {
    guard let results = try results(of: file) else { return try restore(file) }
    try results.forEach(report)
    try updateBaselines(results)
  }

  /// The results without the events of the file, which can need hundreds of megabytes. A backup of a history gives `nil`.
  private func results(of file: String) throws -> [Result]? {
    guard let opened = try open(file) else { return nil }
    return isDry ? try preview(opened, file) : try store(opened, file)
  }

  /// A backup of a history gives `nil`.
  private func open(_ file: String) throws -> ImportFile? {
    do {
      return try ImportFile(input.open(file))
    } catch let error as FormatError where error.code == .wholeHistory {
      return nil
    }
  }

  private func store(_ opened: ImportFile, _ file: String) throws -> [Result] {
    let baselines = try Baselines(location)
    let results = try HistoryImport(location, sampling: .every(storeInterval)).transaction(
      at: SystemClock.wall
    ) {
      transaction in
      try eachSession(of: opened) { session in
        let imported = try imported(session, from: file, opened.format, baselines)
        return result(file, session, imported, try transaction.store(imported))
      }
    }
    let mornings = results.compactMap(\.storedMorning)
    if !mornings.isEmpty { try HistoryWriter(location).add(mornings) }
    for result in results {
      guard let night = result.night, let session = result.stored else { continue }
      try HistoryWriter(location).add(night.stored(in: session), of: session)
    }
    return results
  }

  private func preview(_ opened: ImportFile, _ file: String) throws -> [Result] {
    let reader = try HistoryReader(location)
    let baselines = try Baselines(location)
    return try eachSession(of: opened) { session in
      let imported = try imported(session, from: file, opened.format, baselines)
      return result(file, session, imported, try reader?.duplicate(of: imported).map { .known($0) })
    }
  }

  /// Calls `body` with each session, returns the results, and shows the progress on a terminal.
  private func eachSession(of opened: ImportFile, _ body: (FileSession) throws -> Result) throws -> [Result] {
    let progress = ProgressLine(localized("importing"), environment)
    defer { progress.clear() }
    var results: [Result] = []
    try opened.forEachSession { session in
      results.append(try body(session))
      progress.update(
        opened.progress,
        detail: localized("\(results.count) session", "\(results.count) sessions", count: results.count))
    }
    return results
  }

  private func result(
    _ file: String, _ session: FileSession, _ imported: ImportedSession, _ outcome: ImportedSession.Outcome?
  ) -> Result {
    let morning = morning.map { ImportedMorning(imported, $0) }
    let night = isNight ? ImportedNight(imported) : nil
    // Keeps only the last event, because the events of a year of sessions exceed the memory.
    var imported = imported
    imported.events = imported.events.suffix(1)
    return Result(
      file: file, session: imported, beats: session.beats, skipped: session.skipped, morning: morning,
      night: night,
      outcome: outcome)
  }

  /// Updates the baseline of each profile with new sessions.
  private func updateBaselines(_ results: [Result]) throws {
    let stored = results.filter { if case .stored = $0.outcome { true } else { false } }
    for profile in Set(stored.map(\.session.info.profile)).sorted() {
      try BaselineUpdater(location).learn(profile, today: LocalZone.today, at: SystemClock.wall)
    }
  }

  private func restore(_ file: String) throws {
    if isDry {
      printDiagnostic(
        localized("\(file.printable) is a backup of a history; it would be restored into \(location.path)"))
      return
    }
    do throws(HistoryError) {
      try HistoryBackup.restore(from: file, to: location)
    } catch {
      let isBad = [.corrupt, .notADatabase, .foreign].contains(error.code) && error.path != location.path
      throw CommandFailure(isBad ? .badData : .failed, error.message)
    }
    printDiagnostic("stressmon: " + localized("restored \(file.printable) into \(location.path)"))
  }
}

extension SessionImporter.Result {
  /// The morning reading of the session in the history.
  fileprivate var storedMorning: StoredMorning? { stored.flatMap { morning?.stored(in: $0) } }

  /// The session in the history.
  fileprivate var stored: SessionID? {
    switch outcome {
    case .stored: session.info.id
    case .known(let id): id
    case nil: nil
    }
  }
}

/// The baselines at the start of an import.
struct Baselines {
  private let reader: HistoryReader?

  init(_ location: StoreLocation) throws(HistoryError) { reader = try HistoryReader(location) }

  func baseline(of profile: String) throws -> Baseline {
    try reader?.baseline(of: profile) ?? .populationDefault
  }
}
