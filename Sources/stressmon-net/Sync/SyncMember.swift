import Age
import Dashboard
import Glibc
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Sync

/// A history, and the keys beside it.
struct SyncMember {
  let location: StoreLocation
  let store: KeyStore
  var history: StoredHistory

  init(_ options: SyncOptions) async throws {
    let environment = ProcessEnvironment.current
    let settings = await Settings(try MeasuringProgram.find())
    location = try settings.location(options.database, environment)
    store = KeyStore(besideHistory: location.path)
    history = StoredHistory(location, sampling: .every(settings.storeInterval))
  }

  /// Milliseconds since 1970.
  static var now: Int64 { SystemClock.wall.microseconds / 1000 }

  /// The folder of the vault, if the history is in one.
  var folder: String? { (try? history.membership())?.folder }

  /// - Throws: ``SyncFailure/notJoined``, ``KeyStoreError``.
  func membership() throws -> (SyncMembership, KeyRing) {
    guard let membership = try history.membership() else { throw SyncFailure.notJoined }
    guard let ring = try store.load() else { throw KeyStoreError.invalid(path: store.keysPath) }
    guard ring.vault == membership.vault else {
      throw VaultError.otherVault(expected: membership.vault, found: ring.vault)
    }
    if store.isExposed {
      printWarning(Phrase("other users can read \(store.keysPath); type: chmod 600 \(store.keysPath)"))
    }
    return (membership, ring)
  }

  func device() throws -> SyncDevice {
    guard let device = try history.device() else { throw SyncFailure.notJoined }
    return device
  }

  /// Waits until no other program syncs this history, for at most ten seconds.
  func lock() throws -> SyncLock {
    try store.create()
    for _ in 0..<100 {
      do throws(VaultError) { return try SyncLock(store.lockPath) } catch {
        guard case .isRunning = error else { throw error }
        usleep(100_000)
      }
    }
    return try SyncLock(store.lockPath)
  }
}
