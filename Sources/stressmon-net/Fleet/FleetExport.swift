import Dashboard
import Fleet
import Glibc
import History
import Localization
import Platform

/// Copies the sessions of a participant from PostgreSQL to a temporary history and runs `stressmon export` on it.
struct FleetExport {
  let database: String
  let study: String
  let participant: String
  let keys: ParticipantKeyFile
  let options: [String]

  func run() {
    // A second signal would leave the copy in the temporary folder.
    let signals = SignalListener([SIGINT, SIGTERM], endsAtSecond: false)
    let status: Int32
    do {
      status = try export(signals)
    } catch {
      failFleet(error)
    }
    if let number = signals.received { endProcess(with: number) }
    exit(status)
  }

  /// - Returns: The exit code.
  private func export(_ signals: SignalListener) throws -> Int32 {
    let program = try MeasuringProgram.find()
    TemporaryHistory.removeStale()
    let folder = try TemporaryHistory()
    defer { folder.remove() }
    try copySessions(to: folder, signals)
    guard signals.received == nil else { return 1 }
    return try signals.run(
      program, ["export", "--db", folder.database, "--profile=\(participant)"] + label + options)
  }

  /// The option that makes the code the label of the participant in a BIDS dataset.
  private var label: [String] {
    options.contains { $0 == "bids" || $0 == "--format=bids" } ? ["--participant=\(participant)"] : []
  }

  private func copySessions(to folder: TemporaryHistory, _ signals: SignalListener) throws {
    guard let code = FleetCode(participant), let study = FleetCode(study) else {
      throw FleetError(
        .usage,
        Phrase(
          "the codes of the study and of the participant must be 1 to 64 of the characters A-Z a-z 0-9 _ -"))
    }
    let archive = try FleetArchive(PostgreSQLURL(database))
    let sessions = try archive.sessions(of: keys.storedCodes(of: code, in: study), in: study)
    guard !sessions.isEmpty else {
      throw FleetError(
        .database,
        Phrase(
          """
          PostgreSQL contains no session of \(code) in \(study) that this user may read; check the codes, \(keys.path) \
          and study_member
          """)
      )
    }
    let history = try HistoryImport(StoreLocation(path: folder.database, environment: [:]))
    for session in sessions where signals.received == nil {
      if session.waiting > 0 {
        let id = session.id.description
        printWarning(
          Phrase(
            "\(session.waiting) events of the session \(id) are not exported: events before them are missing")
        )
      }
      var content = try archive.session(session)
      content.info.profile = code.text
      _ = try history.transaction(at: SystemClock.wall) { try $0.store(content) }
    }
  }
}

/// A history in a private folder of the temporary directory.
private struct TemporaryHistory {
  let folder: String
  var database: String { folder + "/stressmon.db" }

  private static let prefix = "stressmon-export-"

  init() throws(FleetError) {
    do { folder = try Folder.createTemporary(for: "export") } catch {
      throw FleetError(
        .local, Phrase("cannot create a folder in \(error.path): \(error.reason); set TMPDIR"))
    }
  }

  private init(folder: String) { self.folder = folder }

  /// Removes folders of this user that killed processes left more than a day ago.
  static func removeStale() {
    for name in Folder.names(in: Folder.temporary) where name.hasPrefix(prefix) {
      let path = "\(Folder.temporary)/\(name)"
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_uid == getuid(), status.st_mode & S_IFMT == S_IFDIR,
        status.st_mtim.tv_sec < time(nil) - 86_400
      else { continue }
      TemporaryHistory(folder: path).remove()
    }
  }

  func remove() {
    for name in Folder.names(in: folder) { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }
}
