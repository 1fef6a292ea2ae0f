internal import GRDB
internal import Glibc

extension HistoryError {
  /// Says in the history's terms what SQLite or a read of its rows threw.
  init(_ error: any Error, path: String, _ attempt: Attempt) {
    switch error {
    case let error as HistoryError: self = error
    case let error as DatabaseError: self.init(sqlite: error, path: path, attempt)
    case let error as MalformedRow: self.init(.corrupt, path: path, attempt, detail: error.description)
    default: self.init(.refused, path: path, attempt, detail: "\(error)")
    }
  }

  /// What the system said about a file: `errno` and its words.
  init(errno number: CInt, path: String, _ attempt: Attempt) {
    let code: Code =
      switch number {
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      case EIO: .inputOutput
      default: .cannotCreate
      }
    self.init(code, path: path, attempt, detail: strerror(number).map { String(cString: $0) })
  }

  private init(sqlite error: DatabaseError, path: String, _ attempt: Attempt) {
    let code: Code =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
      case .SQLITE_FULL: .diskFull
      case .SQLITE_READONLY: .readOnly
      case .SQLITE_CORRUPT: .corrupt
      case .SQLITE_NOTADB: .notADatabase
      case .SQLITE_CANTOPEN: Self.whyNotOpened(path)
      case .SQLITE_PERM, .SQLITE_AUTH: .permissionDenied
      case .SQLITE_IOERR: Self.isDiskFull(path) ? .diskFull : .inputOutput
      default: .refused
      }
    self.init(code, path: path, attempt, detail: error.message)
  }

  /// SQLite says the same of a missing folder, of a folder in the file's place and of missing permission.
  private static func whyNotOpened(_ path: String) -> Code {
    if access(path, R_OK) != 0, errno == EACCES { return .permissionDenied }
    return .cannotCreate
  }

  /// Some writes of SQLite (growing its `-shm`) report a full disk as any other failure of it.
  private static func isDiskFull(_ path: String) -> Bool {
    var disk = statvfs()
    return statvfs(path, &disk) == 0 && disk.f_bavail * disk.f_frsize < 65_536
  }
}

/// A row that the program cannot have written: what is wrong with it.
struct MalformedRow: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
