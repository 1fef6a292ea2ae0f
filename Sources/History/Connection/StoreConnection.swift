internal import GRDB
internal import Platform

/// One connection to the database: a serial queue, because each program either writes or reads. docs/design/storage.md gives the
/// reasons against a pool.
struct StoreConnection: Sendable {
  let path: String
  private let queue: DatabaseQueue
  private let identity: FileIdentity?
  /// The version of a file that SQLite reads as immutable, without locks. Absent if SQLite locks the file.
  private let immutableVersion: FileVersion?

  /// - Parameters:
  ///   - immutable: The URI of a file that is read as immutable.
  ///   - lockTimeout: How long to wait for a lock of another program.
  init(
    _ path: String, immutable: String? = nil, readonly: Bool, lockTimeout: Duration
  ) throws(HistoryError) {
    var configuration = Configuration()
    configuration.label = "stressmon.history"
    configuration.readonly = readonly
    configuration.busyMode = .timeout(Double(lockTimeout.components.seconds))
    self.path = path
    immutableVersion = immutable == nil ? nil : FileVersion(path)
    do {
      queue = try DatabaseQueue(path: immutable ?? path, configuration: configuration)
    } catch {
      throw HistoryError(error, path: path, .open)
    }
    identity = FileIdentity(path: path)
  }

  /// Whether the path still names the open file.
  var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Whether both are the same connection.
  func isSame(as other: StoreConnection) -> Bool { queue === other.queue }

  /// Whether a read returns what the path contains now: the path names the open file, and it is consistent.
  var isCurrent: Bool { isInPlace && isConsistent }

  /// Whether all reads so far returned one state of the file. SQLite does not notice that another program writes a file that it
  /// reads as immutable, and combines old pages in memory with new ones.
  var isConsistent: Bool {
    guard let immutableVersion else { return true }
    return FileVersion(path) == immutableVersion && FileIdentity(path: path + "-wal") == nil
  }

  /// The folder of the file.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }
}

// MARK: - Access

extension StoreConnection {
  /// Runs `body` in a read transaction.
  func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    do { return try queue.read(body) } catch { throw HistoryError(error, path: path, .read) }
  }

  /// Runs `body` in a transaction, which is durable when the call returns.
  func write<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    do { return try queue.write(body) } catch { throw HistoryError(error, path: path, .write) }
  }

  /// Like ``write(_:)``, but rethrows errors of `body` that do not come from the database.
  func writeRethrowing<T>(_ body: (Database) throws -> T) throws -> T {
    var bodyError: (any Error)?
    do {
      return try write { db in
        do {
          return try body(db)
        } catch {
          if !HistoryError.isOfDatabase(error) { bodyError = error }
          throw error
        }
      }
    } catch {
      throw bodyError ?? error
    }
  }

  /// Runs `body` outside of a transaction.
  func access<T>(_ attempt: HistoryError.Attempt, _ body: (Database) throws -> T) throws(HistoryError) -> T {
    do { return try queue.inDatabase(body) } catch { throw HistoryError(error, path: path, attempt) }
  }

  /// Applies the migrations that are missing.
  func migrate(with migrator: DatabaseMigrator) throws(HistoryError) {
    do { try migrator.migrate(queue) } catch { throw HistoryError(error, path: path, .open) }
  }

  /// Overwrites another database with a copy of this one, in one transaction of the other database.
  func copy(into target: StoreConnection) throws(HistoryError) {
    do { try queue.backup(to: target.queue) } catch { throw HistoryError(error, path: target.path, .write) }
  }

  /// Overwrites the file at `path` with a copy of the database.
  func copy(to path: String) throws(HistoryError) {
    do {
      let target = try DatabaseQueue(path: path)
      try queue.backup(to: target)
      try target.close()
    } catch {
      throw HistoryError(error, path: path, .write)
    }
  }
}
