import Glibc
import HeartRate
import Synchronization
import Testing

@testable import History

@Suite struct MeasurementLockTests {
  private let since = WallTime(microseconds: 1_795_000_000_000_000)
  private let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Chest")

  @Test func aSecondSessionOfAProfileIsRefusedUntilTheFirstEnds() throws {
    let history = try TemporaryHistory()
    do {
      let first = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      #expect(first.isProtected)
      let conflict = #expect(throws: MeasurementLock.Conflict.self) {
        try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      }
      #expect(conflict?.pid == Int(getpid()) && conflict?.since == since && conflict?.profile == "me")
      #expect(conflict?.description.contains("kill -INT \(getpid())") == true)
      // Another profile is not locked.
      _ = try MeasurementLock(.profile("ann"), profile: "ann", at: history.location, since: since)
    }
    // A process that another test has just forked holds the lock until it executes its program.
    var next: MeasurementLock?
    for _ in 0..<200 where next == nil {
      next = try? MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      if next == nil { usleep(10_000) }
    }
    #expect(next != nil)
  }

  @Test func aStrapLockAppliesToAllHistoriesAndAProfileLockToOne() throws {
    let history = try TemporaryHistory()
    let environment = ["XDG_DATA_HOME": history.folder + "/data", "XDG_RUNTIME_DIR": history.folder + "/run"]
    let other = try StoreLocation(path: history.folder + "/other.db", environment: environment)
    let mine = try MeasurementLock(.strap(strap), profile: "me", at: history.location, since: since)
    let conflict = #expect(throws: MeasurementLock.Conflict.self) {
      try MeasurementLock(.strap(strap), profile: "ann", at: other, since: since)
    }
    #expect(conflict?.description.hasPrefix("strap Chest (C0:00:00:00:00:01) is in use: process") == true)
    let profile = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
    _ = try MeasurementLock(.profile("me"), profile: "me", at: other, since: since)
    #expect(mine.isProtected && profile.isProtected)
  }

  @Test func theRuntimeFolderIsUsedIfTheHistoryFolderIsNotWritable() throws {
    let history = try TemporaryHistory()
    put([1], into: history.folder + "/data")
    let first = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
    #expect(first.isProtected)
    #expect(throws: MeasurementLock.Conflict.self) {
      try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
    }
  }

  @Test func aLockDoesNotConflictWithItselfInOneFolder() throws {
    let history = try TemporaryHistory()
    let environment = ["XDG_DATA_HOME": history.folder, "XDG_RUNTIME_DIR": history.folder]
    let location = try StoreLocation(path: history.folder + "/stressmon/x.db", environment: environment)
    let lock = try MeasurementLock(.strap(strap), profile: "me", at: location, since: since)
    #expect(lock.isProtected)
    #expect(throws: MeasurementLock.Conflict.self) {
      try MeasurementLock(.strap(strap), profile: "me", at: location, since: since)
    }
  }

  @Test func withoutAUsableFolderTheLockIsUnprotected() throws {
    let history = try TemporaryHistory()
    put([1], into: history.folder + "/data")
    put([1], into: history.folder + "/run")
    let lock = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
    #expect(!lock.isProtected)
  }

  @Test(arguments: ["../../x", "", "a\nb\0c", String(repeating: "n", count: 9999)])
  func anyNameIsLocked(name: String) throws {
    let history = try TemporaryHistory()
    let lock = try MeasurementLock(.profile(name), profile: name, at: history.location, since: since)
    #expect(lock.isProtected)
    #expect(TemporaryHistory.names(in: history.folder) == ["data", "run"])
    #expect(throws: MeasurementLock.Conflict.self) {
      try MeasurementLock(.profile(name), profile: name, at: history.location, since: since)
    }
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let history = try TemporaryHistory()
    let name: String
    do {
      let lock = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      name = try #require(TemporaryHistory.names(in: history.location.folder).first)
      #expect(lock.isProtected)
    }
    let target = history.folder + "/target"
    put([1, 2, 3], into: target)
    for folder in [history.location.folder, history.location.runtimeFolder] {
      unlink(folder + "/" + name)
      symlink(target, folder + "/" + name)
    }
    let lock = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
    #expect(!lock.isProtected)
    #expect(databaseBytes(of: target) == [1, 2, 3])
  }

  @Test("A released lock leaves no file")
  func aReleasedLockLeavesNoFile() throws {
    let history = try TemporaryHistory()
    let folders = [history.location.folder, history.location.runtimeFolder]
    do {
      let lock = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      #expect(lock.isProtected)
      for folder in folders { #expect(TemporaryHistory.names(in: folder).count == 1) }
      // A conflict removes neither the file of the holder nor leaves another one.
      #expect(throws: MeasurementLock.Conflict.self) {
        try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: since)
      }
      for folder in folders { #expect(TemporaryHistory.names(in: folder).count == 1) }
    }
    for folder in folders { #expect(TemporaryHistory.names(in: folder).isEmpty) }
  }

  /// Each thread opens the file while others remove it.
  @Test("At most one session holds a lock while others acquire and release it")
  func removalIsFreeOfRaces() async throws {
    let history = try TemporaryHistory()
    let counts = LockCounts()
    let (location, since) = (history.location, since)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2000 {
            guard
              let lock = try? MeasurementLock(.profile("me"), profile: "me", at: location, since: since)
            else { continue }
            withExtendedLifetime(lock) {
              counts.begin()
              counts.end()
            }
          }
        }
      }
    }
    #expect(counts.most == 1 && counts.total > 100)
    #expect(TemporaryHistory.names(in: location.folder).isEmpty)
  }

  @Test func theLockOfAKilledProgramIsReleased() async throws {
    let history = try TemporaryHistory()
    let path = history.folder + "/h.db"
    let probe = try Probe("lock", path, "me")
    #expect(probe.line() == "locked true")
    let location = try StoreLocation(
      path: path, environment: ["XDG_RUNTIME_DIR": path + ".run", "XDG_DATA_HOME": path + ".data"])
    let conflict = #expect(throws: MeasurementLock.Conflict.self) {
      try MeasurementLock(.profile("me"), profile: "me", at: location, since: since)
    }
    #expect(conflict?.pid == Int(probe.pid))
    probe.kill()
    _ = try MeasurementLock(.profile("me"), profile: "me", at: location, since: since)
  }
}

/// The number of holders of a lock.
private final class LockCounts: Sendable {
  private struct Counts {
    var now = 0
    var most = 0
    var total = 0
  }

  private let counts = Mutex(Counts())

  func begin() {
    counts.withLock { counts in
      counts.now += 1
      counts.total += 1
      counts.most = max(counts.most, counts.now)
    }
  }

  func end() { counts.withLock { $0.now -= 1 } }

  var most: Int { counts.withLock { $0.most } }
  var total: Int { counts.withLock { $0.total } }
}
