import Age
import Foundation
import Glibc
import HeartRate
import History
import Sync
import TestSupport
import Testing

/// Measures the sync of many sessions and prints the figures.
///
/// `STRESSMON_SYNC_YEAR=400 swift test --filter StoredYearTests` stores that many sessions of 10 minutes
/// (`STRESSMON_SYNC_YEAR_SECONDS` sets another length). Build with `-c release` for figures of the program.
@Suite struct StoredYearTests {
  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  @Test(.enabled(if: Self.number("STRESSMON_SYNC_YEAR") != nil))
  func firstSyncJoinAndIncrementalSync() throws {
    let count = Self.number("STRESSMON_SYNC_YEAR") ?? 1
    let seconds = Self.number("STRESSMON_SYNC_YEAR_SECONDS") ?? 600
    let world = try AgeWorld()
    var events = 0
    for index in 0..<count {
      let session = StoredFixtures.session(
        seed: UInt64(index), seconds: seconds, startedHoursLater: index * 20 - 8000)
      events += session.events.count
      _ = try HistoryImport(world.locations[0]).transaction(at: StoredWorld.now) { try $0.store(session) }
    }
    // Like `import` and live sessions.
    try measure("baseline") { try world.learn(0) }
    print(
      "sync: \(count) sessions of \(seconds) s, \(events) events, history \(try world.historySize(0)) KiB")
    let first = try measure("first sync") { try world.sync(0) }
    #expect(first.sessionsSent == count)
    print("sync: folder \(try world.folderSize()) KiB")
    let joined = try measure("join") { try world.sync(1) }
    #expect(joined.sessionsReceived == count)
    print("sync: history of the joined device \(try world.historySize(1)) KiB")
    // A device reads the files that it wrote once.
    _ = try measure("own files read") { try world.sync(0) }
    try StoredFixtures.store(
      StoredFixtures.session(seed: 9999, seconds: 600, startedHoursLater: 999), in: world.locations[0])
    let sent = try measure("one session sent") { try world.sync(0) }
    let received = try measure("one session received") { try world.sync(1) }
    #expect(sent.sessionsSent == 1 && received.sessionsReceived == 1)
    let unchanged = try measure("nothing changed") { try world.sync(0) }
    // The other device's about is read.
    #expect(unchanged.sessionsSent == 0)
    print("sync: peak memory of the process, \(Self.peakMemory)")
  }

  /// Such as `VmHWM: 61440 kB`.
  private static var peakMemory: String {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map(String.init) ?? "unknown"
  }

  private func measure<T>(_ name: String, _ body: () throws -> T) throws -> T {
    let (cpu, start) = (clock(), ContinuousClock.now)
    let result = try body()
    let used = Double(clock() - cpu) / Double(CLOCKS_PER_SEC)
    print("sync: \(name): \(used) s CPU, \(ContinuousClock.now - start)")
    return result
  }
}

/// Two histories and a vault with age encryption.
private final class AgeWorld {
  let locations: [StoreLocation]
  private let folder = try? TemporaryFolder()
  private var histories: [StoredHistory] = []
  private let identity = X25519Identity()
  private let vault = SharedID(bits: 7)
  private var random = SeededGenerator(seed: 1)
  private let path: String

  init() throws {
    let base = try #require(folder)
    path = base.file("vault")
    locations = try (0..<2).map { index in
      try StoreLocation(environment: [
        "XDG_DATA_HOME": base.file("data-\(index)"), "XDG_RUNTIME_DIR": base.file("run-\(index)"),
      ])
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try VaultFolder.create(path, VaultDescription(vault: vault, recipient: "\(identity.recipient)"), key: [1])
    for (index, location) in locations.enumerated() {
      var history = StoredHistory(location, clock: { StoredWorld.now }, today: { StoredWorld.today })
      let device = SyncDevice(
        signingKey: DeviceKey(using: &random), name: "device \(index)", key: StoredWorld.firstKey)
      try history.begin(device, SyncMembership(folder: path, vault: vault, name: "device \(index)"))
      histories.append(history)
    }
  }

  func sync(_ index: Int) throws -> SyncReport {
    let crypt = try #require(
      AgeCrypt(vault: vault, identities: [StoredWorld.firstKey: identity], current: StoredWorld.firstKey))
    return try synchronise(
      folder: VaultFolder(path), codec: VaultCodec(vault: vault, crypt: crypt), history: &histories[index],
      wall: 1_795_000_000_000, using: &random)
  }

  func learn(_ index: Int) throws {
    try BaselineUpdater(locations[index]).learn("me", today: StoredWorld.today, at: StoredWorld.now)
  }

  func historySize(_ index: Int) throws -> Int {
    try #require(try HistoryReader(locations[index])).contents().bytes / 1024
  }

  func folderSize() throws -> Int {
    let names = try VaultFolder(path).listing().files.keys
    return try names.reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0) / 1024
    }
  }
}
