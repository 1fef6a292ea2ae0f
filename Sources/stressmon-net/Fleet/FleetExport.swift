import Dashboard
import Fleet
import Glibc
import History
import Platform

/// Exports the sessions of a participant in PostgreSQL with the program that exports histories.
struct FleetExport {
  let database: String
  let study: String
  let participant: String
  let options: [String]

  func run() {
    let signals = SignalPipe([SIGINT, SIGTERM])
    var status: Int32 = 1
    do {
      let program = try MeasuringProgram.find()
      let folder = try TemporaryHistory()
      try read(into: folder, signals)
      if signals.received == nil {
        status = try folder.run(
          program, ["export", "--db", folder.database, "--profile", participant] + options, signals)
      }
      folder.remove()
    } catch {
      failFleet(error)
    }
    if let number = signals.received { endProcess(with: number) }
    exit(status)
  }

  /// Copies the sessions. Removes the folder after an error.
  private func read(into folder: TemporaryHistory, _ signals: SignalPipe) throws {
    do {
      guard let participant = FleetCode(participant), let study = FleetCode(study) else {
        throw FleetError(
          .usage, "--study and --participant must be 1 to 64 of the characters A-Z a-z 0-9 _ -")
      }
      let archive = try FleetArchive(PostgreSQLURL(database))
      let sessions = try archive.sessions(of: participant, in: study)
      guard !sessions.isEmpty else {
        throw FleetError(
          .database,
          "PostgreSQL contains no session of \(participant) in \(study) that this user may read; check the codes and study_member"
        )
      }
      let history = try HistoryImport(StoreLocation(path: folder.database, environment: [:]))
      for session in sessions where signals.received == nil {
        if session.waiting > 0 {
          printDiagnostic(
            "stressmon: warning: \(session.waiting) events of the session \(session.id) are not exported: events before them are missing"
          )
        }
        let content = try archive.session(session)
        _ = try history.transaction(at: SystemClock.wall) { try $0.store(content) }
      }
    } catch {
      folder.remove()
      throw error
    }
  }
}

/// A history in a private folder of the temporary directory.
struct TemporaryHistory {
  let folder: String
  var database: String { folder + "/stressmon.db" }

  init() throws(FleetError) {
    let parent = ProcessEnvironment.current["TMPDIR"] ?? "/tmp"
    var path = Array("\(parent)/stressmon-export-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&path) != nil else {
      throw FleetError(
        .local, "cannot create a folder in \(parent): \(unsafe String(cString: strerror(errno))); set TMPDIR")
    }
    folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() {
    for name in Folder.names(in: folder) { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Runs `program` and passes on the first signal of `signals`.
  /// - Returns: The exit code.
  func run(_ program: String, _ arguments: [String], _ signals: SignalPipe) throws(FleetError) -> Int32 {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&defaults, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var vector = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe vector.indices { unsafe free(vector[index]) } }
    var process = pid_t()
    let error = unsafe posix_spawn(&process, program, nil, &attributes, &vector, unsafe environ)
    guard error == 0 else {
      throw FleetError(.local, "cannot run \(program): \(unsafe String(cString: strerror(error)))")
    }
    return Self.wait(for: process, signals)
  }

  private static func wait(for process: pid_t, _ signals: SignalPipe) -> Int32 {
    var status: CInt = 0
    var isPassed = false
    while unsafe waitpid(process, &status, WNOHANG) == 0 {
      if let number = signals.received, !isPassed {
        kill(process, number)
        isPassed = true
      }
      usleep(20_000)
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
