import Glibc
import History
import Localization
import NetworkCommands
import Platform
import Sync

/// Exchanges after each change of the folder or the history, until SIGINT or SIGTERM.
struct SyncWatch {
  let asJSON: Bool
  /// Whether exchanges without changes are printed, too.
  let isVerbose: Bool
  private let signals = SignalListener([SIGINT, SIGTERM])
  /// The last error and the last warnings, which are printed when they change.
  private var lastProblems: [FolderMessage] = []

  init(asJSON: Bool, isVerbose: Bool) { (self.asJSON, self.isVerbose) = (asJSON, isVerbose) }

  mutating func run(_ member: inout SyncMember) throws -> Never {
    guard let folder = member.folder else { throw SyncFailure.notJoined }
    let changes = try FileChanges(vault: folder, others: [Folder.parent(of: member.location.path)])
    var schedule = WatchSchedule(now: Self.now)
    while true {
      wait(until: schedule.due, changes)
      if let number = signals.received { endProcess(with: number) }
      let own = try member.device().id
      for source in sources(changes.take(), member, folder, own) { schedule.changed(source, at: Self.now) }
      guard Self.now >= schedule.due else { continue }
      changes.update()
      let hasFailed = !sync(&member)
      changes.update()
      let changed = sources(changes.take(), member, folder, own)
      schedule.ended(at: Self.now, hasFailed: hasFailed, changes: changed)
    }
  }

  /// Monotonic time in ms.
  private static var now: Int64 { SystemClock.boot / 1_000_000 }

  private func wait(until due: Int64, _ changes: FileChanges) {
    let timeout = CInt(clamping: max(0, due - Self.now))
    var requests = [signals.descriptor, changes.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    unsafe poll(&requests, nfds_t(requests.count), timeout)
  }

  /// What changed. Files that an exchange itself writes to the folder, and other files beside the history, have no effect.
  private func sources(
    _ paths: Set<String>, _ member: SyncMember, _ folder: String, _ own: SharedID
  ) -> Set<WatchSchedule.Source> {
    let database = member.location.path
    let history = !paths.isDisjoint(with: [database, database + "-wal"])
    let isInFolder = { (path: String) in
      (path == folder || path.hasPrefix(folder + "/")) && !path.hasPrefix("\(folder)/\(own)/")
    }
    return Set((history ? [.history] : []) + (paths.contains(where: isInFolder) ? [.folder] : []))
  }

  /// - Returns: Whether the exchange succeeded.
  private mutating func sync(_ member: inout SyncMember) -> Bool {
    do {
      let result = try SyncRun.run(&member)
      report(result)
      return true
    } catch {
      let failure = SyncFailure(error, folder: member.folder)
      if lastProblems != [failure.message] {
        lastProblems = [failure.message]
        printMessage(Phrase(untranslated: failure.message.text))
      }
      return false
    }
  }

  private mutating func report(_ result: SyncRun.Result) {
    var result = result
    let warnings = result.warnings
    result.warnings = warnings.filter { !lastProblems.contains($0) }
    lastProblems = warnings
    if result.report.isEmpty, !isVerbose {
      for warning in result.warnings { warning.printAsWarning() }
    } else {
      result.print(asJSON: asJSON)
    }
  }
}

extension SyncReport {
  /// Whether nothing was exchanged.
  fileprivate var isEmpty: Bool {
    sessionsReceived + sessionsSent + changesReceived + changesSent + sessionsErased == 0
  }
}
