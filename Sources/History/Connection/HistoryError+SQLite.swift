internal import GRDB
internal import Glibc

extension HistoryError {
  /// Converts an error of SQLite, or of the conversion of a row.
  init(_ error: any Error, path: String, _ attempt: Attempt) {
    switch error {
    case let error as HistoryError: self = error
    case let error as DatabaseError: self.init(sqlite: error, path: path, attempt)
    case let error as MalformedRow: self.init(.corrupt, path: path, attempt, detail: error.description)
    case let error as RowDecodingError:
      // GRDB appends the row, which is personal data, and the SQL.
      let reason = "\(error)".split(separator: " - ", maxSplits: 1).first.map(String.init)
      self.init(.corrupt, path: path, attempt, detail: reason)
    default: self.init(.refused, path: path, attempt, detail: String(describing: error))
    }
  }

  /// Whether `error` is thrown by SQLite or by the conversion of a row.
  static func isOfDatabase(_ error: any Error) -> Bool {
    error is DatabaseError || error is MalformedRow || error is RowDecodingError
  }

  /// Converts the `errno` of a failed system call.
  init(errno number: CInt, path: String, _ attempt: Attempt) {
    let code: Code =
      switch number {
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      case EIO: .inputOutput
      default: .cannotCreate
      }
    unsafe self.init(code, path: path, attempt, detail: strerror(number).map { unsafe String(cString: $0) })
  }

  private init(sqlite error: DatabaseError, path: String, _ attempt: Attempt) {
    let code: Code =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
      case .SQLITE_FULL: .diskFull
      case .SQLITE_READONLY: .readOnly
      case .SQLITE_CORRUPT: .corrupt
      case .SQLITE_NOTADB: .notADatabase
      case .SQLITE_CANTOPEN: Self.codeOfFailedOpen(path)
      case .SQLITE_PERM, .SQLITE_AUTH: .permissionDenied
      case .SQLITE_IOERR: Self.isDiskFull(path) ? .diskFull : .inputOutput
      default: .refused
      }
    self.init(code, path: path, attempt, detail: error.message)
  }

  /// SQLite reports the same code for a missing folder, a folder in place of the file and a missing permission.
  private static func codeOfFailedOpen(_ path: String) -> Code {
    if unsafe access(path, R_OK) != 0, errno == EACCES { return .permissionDenied }
    return .cannotCreate
  }

  /// SQLite reports a full disk as a general input/output error in some cases (when `-shm` grows).
  private static func isDiskFull(_ path: String) -> Bool {
    var disk = statvfs()
    return unsafe statvfs(path, &disk) == 0 && disk.f_bavail * disk.f_frsize < 65_536
  }
}

/// A row with a value that the program does not write.
struct MalformedRow: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
