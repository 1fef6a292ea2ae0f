import Formats
import FoundationEssentials
import HRV
import HeartRate
import History
import Localization
import Platform
import SessionData
import Simulator
import Stress
import Terminal

/// Brings the sessions of files into the history.
struct SessionImporter {
  let input: FileOptions
  let at: BeginningArgument?
  /// Whose sessions these are, if that was said; else the file's own word counts, or the usual profile.
  let profile: String?
  let usualProfile: String
  let location: StoreLocation
  /// Session time between the measurements that are kept.
  let thinning: Duration
  let isDry: Bool
  let environment: ProcessEnvironment

  /// What became of one session.
  struct Result {
    let file: String
    let session: ImportedSession
    let beats: Int
    let skipped: Int
    /// Nil where nothing was to be stored.
    let outcome: ImportedSession.Outcome?
  }

  /// Stores what is in `file`. `tell` hears of each session when all of them are stored.
  func take(_ file: String, _ tell: (Result) throws -> Void) throws {
    guard let opened = try open(file) else { return try restore(file) }
    let results = isDry ? try look(opened, file) : try store(opened, file)
    try results.forEach(tell)
    try learn(results)
  }

  /// Nil for a copy of a whole history.
  private func open(_ file: String) throws -> ImportFile? {
    do {
      return try ImportFile(input.open(file))
    } catch let error as FormatError where error.code == .wholeHistory {
      return nil
    }
  }

  private func store(_ opened: ImportFile, _ file: String) throws -> [Result] {
    let baselines = try Baselines(location)
    return try HistoryImport(location, sampling: .every(thinning)).transaction(at: SystemClock.wall) {
      transaction in
      try eachSession(of: opened) { session in
        let imported = try imported(session, from: file, opened.format, baselines)
        return result(file, session, imported, try transaction.store(imported))
      }
    }
  }

  private func look(_ opened: ImportFile, _ file: String) throws -> [Result] {
    let reader = try HistoryReader(location)
    let baselines = try Baselines(location)
    return try eachSession(of: opened) { session in
      let imported = try imported(session, from: file, opened.format, baselines)
      return result(file, session, imported, try reader?.duplicate(of: imported).map { .known($0) })
    }
  }

  /// What `take` makes of each session, while a line on the terminal says how far it is.
  private func eachSession(of opened: ImportFile, _ take: (FileSession) throws -> Result) throws -> [Result] {
    let progress = ProgressLine("importing", environment)
    defer { progress.clear() }
    var results: [Result] = []
    try opened.forEachSession { session in
      results.append(try take(session))
      progress.update(opened.progress, detail: counted(results.count, "session"))
    }
    return results
  }

  private func result(
    _ file: String, _ session: FileSession, _ imported: ImportedSession, _ outcome: ImportedSession.Outcome?
  ) -> Result {
    // What was stored need not be kept: a year of sessions would not fit.
    var imported = imported
    imported.events = imported.events.suffix(1)
    return Result(
      file: file, session: imported, beats: session.beats, skipped: session.skipped, outcome: outcome)
  }

  /// Each person's baseline follows from what is new, for the next session.
  private func learn(_ results: [Result]) throws {
    let stored = results.filter { if case .stored = $0.outcome { true } else { false } }
    for profile in Set(stored.map(\.session.info.profile)).sorted() {
      try BaselineUpdater(location).learn(profile, today: LocalZone.today, at: SystemClock.wall)
    }
  }

  private func restore(_ file: String) throws {
    if isDry {
      printDiagnostic(
        "\(file.printable) is a copy of a whole history; it would be restored into \(location.path)")
      return
    }
    do throws(HistoryError) {
      try HistoryBackup.restore(from: file, to: location)
    } catch {
      let isBad = [.corrupt, .notADatabase, .foreign].contains(error.code) && error.path != location.path
      throw CommandFailure(isBad ? .badData : .failed, error.description)
    }
    printDiagnostic("stressmon: restored \(file.printable) into \(location.path)")
  }
}

/// The baselines in force when an import begins.
struct Baselines {
  private let reader: HistoryReader?

  init(_ location: StoreLocation) throws(HistoryError) { reader = try HistoryReader(location) }

  func baseline(of profile: String) throws -> Baseline {
    try reader?.baseline(of: profile) ?? .populationDefault
  }
}
