internal import GRDB
internal import Glibc
package import Localization

/// The history could not be opened, read or written. The description contains a command that helps.
package struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The file was written by a newer version. It was not changed.
    case newerThanProgram
    /// The file was written by an older version and cannot be migrated because it is not writable.
    case olderThanProgram
    /// Another program holds a lock on the database.
    case locked
    case diskFull
    /// The file, its folder or the file system is not writable.
    case readOnly
    /// The file is damaged.
    case corrupt
    /// The file is not an SQLite database.
    case notADatabase
    /// The file is the database of another program. It was not changed.
    case foreign
    /// The file does not exist and cannot be created, or its folder is not a folder.
    case cannotCreate
    /// The file, which an option or the environment names, does not exist.
    case missing
    case permissionDenied
    /// An input/output error of the disk.
    case inputOutput
    /// Neither an option nor the environment gives the path of the history.
    case noFolder
    /// The file was removed or replaced while it was in use.
    case replaced
    /// The history into which a copy was to be restored is not empty.
    case notEmpty
    /// The IDs of several sessions begin with the given text.
    case ambiguous
    /// A profile with the new name exists.
    case nameTaken
    /// Any other error of SQLite; ``detail`` contains its message.
    case refused
  }

  /// The operation that failed.
  package enum Attempt: String, Sendable {
    case open
    case read
    case write
    /// Overwriting the remains of deleted rows in the files. The rows are deleted.
    case erase
  }

  package let code: Code
  package let path: String
  package let attempt: Attempt
  /// The message of SQLite or of the system.
  package let detail: String?

  package init(_ code: Code, path: String, _ attempt: Attempt, detail: String? = nil) {
    self.code = code
    self.path = path
    self.attempt = attempt
    self.detail = detail
  }

  /// The complete message in English: operation, reason and remedy.
  package var description: String { Language.english.text(message) }

  /// The reason of the failure.
  package var reason: String {
    switch code {
    case .newerThanProgram: "it was written by a newer stressmon and was not changed"
    case .olderThanProgram:
      "it was written by an older stressmon and cannot be migrated because it is not writable"
    case .locked: "it is locked by another program"
    case .diskFull: "the disk is full"
    case .readOnly: "it is not writable"
    case .corrupt: "the file is damaged"
    case .notADatabase: "the file is not an SQLite database"
    case .foreign: "it is the database of another program and was not changed"
    case .cannotCreate: "the file does not exist and cannot be created"
    case .missing: "there is no such file"
    case .permissionDenied: "permission denied"
    case .inputOutput: "the disk reported an error"
    case .noFolder: "no folder is given: HOME and XDG_DATA_HOME are not set"
    case .replaced: "the file was removed or replaced while it was in use"
    case .notEmpty: "it is not empty, and two histories cannot be merged"
    case .ambiguous: "the IDs of several sessions begin like this"
    case .nameTaken: "a profile with this name exists"
    case .refused: "SQLite reported an error"
    }
  }

  /// `text` as one word of a shell command.
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "/._-+:".utf8.contains(byte)
    }
    if plain { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

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

extension HistoryError: Translatable {
  /// Operation, reason and remedy. The message of SQLite or of the system, ``detail``, is not translated.
  package var message: Phrase {
    let detail = detail.map { " (\($0))" } ?? ""
    let reason = Phrase(known: reason)
    // Not a fault of the history.
    guard code != .ambiguous else { return Phrase("in the history \(path) \(reason)\(detail). \(advice)") }
    return switch attempt {
    case .open: Phrase("cannot open the history \(path): \(reason)\(detail). \(advice)")
    case .read: Phrase("cannot read the history \(path): \(reason)\(detail). \(advice)")
    case .write: Phrase("cannot write the history \(path): \(reason)\(detail). \(advice)")
    case .erase:
      Phrase(
        """
        the data are deleted, but remains of them may be in the files of the history \(path): \(reason)\(detail). \
        \(advice) The next command that changes the history erases them.
        """)
    }
  }

  /// What to do next, as sentences with commands, in English.
  package var remedy: String { Language.english.text(advice) }

  private var advice: Phrase {
    let file = Self.quoted(path)
    return switch code {
    case .newerThanProgram: Phrase("Update stressmon, or choose another file with --db PATH.")
    case .olderThanProgram:
      Phrase(
        """
        Copy it to a writable folder with: stressmon export --db \(file) --all --output copy.db, and read the copy with \
        --db copy.db
        """)
    case .locked: Phrase("Find that program with: fuser -v \(file)")
    case .diskFull: Phrase("Show the free space with: df -h \(file)")
    case .readOnly:
      Phrase("Show its permissions with: ls -la \(file), or choose another file with --db PATH.")
    case .corrupt: adviceOnDamage(file)
    case .notADatabase, .foreign, .cannotCreate: Phrase("Choose another file with --db PATH.")
    case .missing: Phrase("Check the path of --db or STRESSMON_DB; measuring creates the file.")
    case .permissionDenied:
      Phrase("Show its owner with: ls -la \(file), or choose another file with --db PATH.")
    case .inputOutput: Phrase("Show the messages of the kernel with: journalctl -k -p err")
    case .noFolder: Phrase("Set HOME, or give the file with --db PATH.")
    case .replaced: Phrase("The session continues in a new file; show it with: ls -la \(file)")
    case .notEmpty:
      Phrase(
        """
        Restore the copy into a new file with --db PATH; then copy its sessions into this history with: \
        stressmon export --db PATH --format jsonl --output sessions.jsonl, then stressmon import sessions.jsonl
        """)
    case .ambiguous: Phrase("Give more letters of the ID; list the IDs with: stressmon history --sessions")
    case .nameTaken: Phrase("Choose another name; list the names with: stressmon profile list")
    case .refused: Phrase("Check the file with: sqlite3 \(file) 'PRAGMA integrity_check'")
    }
  }

  private func adviceOnDamage(_ file: String) -> Phrase {
    let (saved, damaged) = (Self.quoted(path + ".saved"), Self.quoted(path + ".damaged"))
    return Phrase(
      """
      Save the readable rows with: sqlite3 \(file) .recover | sqlite3 \(saved), then move it away with: mv \(file) \
      \(damaged)
      """)
  }
}
