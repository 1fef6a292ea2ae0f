/// Why the history could not be opened, read or written; says what to do next.
package struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// A newer program wrote it. It was not touched.
    case newerThanProgram
    /// An older program wrote it, and it cannot be brought up to date where it is.
    case olderThanProgram
    /// Another program holds it.
    case locked
    case diskFull
    /// The file, its folder or the whole disk cannot be written.
    case readOnly
    /// The file is damaged.
    case corrupt
    /// The file is no SQLite database.
    case notADatabase
    /// The file is the database of another program. It was not touched.
    case foreign
    /// There is no file, and none can be made; or its folder is none.
    case cannotCreate
    case permissionDenied
    /// The disk failed.
    case inputOutput
    /// Neither an option nor the environment says where the history is.
    case noFolder
    /// The file was removed or replaced while it was in use.
    case replaced
    /// Something is stored already where a copy was to be put.
    case notEmpty
    /// Several sessions begin with the text that was given.
    case ambiguous
    /// There is a profile of that name.
    case nameTaken
    /// SQLite refused for a reason that is not foreseen here; its words are kept.
    case refused
  }

  /// What was tried.
  package enum Attempt: String, Sendable {
    case open
    case read
    case write
    /// To remove what deleted rows may have left in the files. The rows are gone.
    case erase
  }

  package let code: Code
  package let path: String
  package let attempt: Attempt
  /// SQLite's or the system's own words.
  package let detail: String?

  package init(_ code: Code, path: String, _ attempt: Attempt, detail: String? = nil) {
    self.code = code
    self.path = path
    self.attempt = attempt
    self.detail = detail
  }

  /// The whole message: what was tried, why it failed, what to type next.
  package var description: String {
    let words = detail.map { " (\($0))" } ?? ""
    // Nothing is wrong with the history then.
    guard code != .ambiguous else { return "in the history \(path) \(reason)\(words). \(remedy)" }
    guard attempt != .erase else {
      return
        "it is deleted, but remains of it may be in the files of the history \(path): \(reason)\(words). "
        + "\(remedy) The next command that changes the history then takes them away."
    }
    return "cannot \(attempt.rawValue) the history \(path): \(reason)\(words). \(remedy)"
  }

  /// Why it failed.
  package var reason: String {
    switch code {
    case .newerThanProgram: "a newer stressmon wrote it, so it was left as it is"
    case .olderThanProgram: "an older stressmon wrote it, and its tables cannot be brought up to date there"
    case .locked: "another program holds it"
    case .diskFull: "the disk is full"
    case .readOnly: "it cannot be written"
    case .corrupt: "the file is damaged"
    case .notADatabase: "the file is no SQLite database"
    case .foreign: "it is the database of another program, so it was left as it is"
    case .cannotCreate: "the file is not there and cannot be made"
    case .permissionDenied: "permission denied"
    case .inputOutput: "the disk failed"
    case .noFolder: "nothing says in which folder it is"
    case .replaced: "the file was removed or replaced while it was in use"
    case .notEmpty: "something is stored in it already, and two histories are not mixed"
    case .ambiguous: "several sessions begin like this"
    case .nameTaken: "there is a profile of that name"
    case .refused: "SQLite refused"
    }
  }

  /// What to do next, as sentences with commands to type.
  package var remedy: String {
    let file = Self.quoted(path)
    switch code {
    case .newerThanProgram: return "Update stressmon, or choose another file with --db PATH."
    case .olderThanProgram:
      return
        "Copy it to where you may write with: stressmon export --db \(file) --all --output copy.db, and read that with "
        + "--db copy.db"
    case .locked: return "See who it is with: fuser -v \(file)"
    case .diskFull: return "See how full it is with: df -h \(file)"
    case .readOnly:
      return "Look at its permissions with: ls -la \(file), or choose another file with --db PATH."
    case .corrupt:
      return
        "Save what can be read with: sqlite3 \(file) .recover | sqlite3 \(Self.quoted(path + ".saved")), "
        + "then move it away with: mv \(file) \(Self.quoted(path + ".damaged"))"
    case .notADatabase, .foreign, .cannotCreate: return "Choose another file with --db PATH."
    case .permissionDenied:
      return "Look at its owner with: ls -la \(file), or choose another file with --db PATH."
    case .inputOutput: return "Look at the disk's own reports with: journalctl -k -p err"
    case .noFolder: return "Set HOME, or say where with --db PATH."
    case .replaced: return "What is recorded from now on goes to a new file; see: ls -la \(file)"
    case .notEmpty:
      return
        "Restore the copy into a new file with --db PATH; its sessions can go from there to here with: "
        + "stressmon export --db PATH --format jsonl --output sessions.jsonl, then stressmon import sessions.jsonl"
    case .ambiguous: return "Give more of its letters; see them with: stressmon history --sessions"
    case .nameTaken: return "Choose another name; see them with: stressmon profile list"
    case .refused: return "Check the file with: sqlite3 \(file) 'PRAGMA integrity_check'"
    }
  }

  /// `text` as one word of a shell command.
  private static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "/._-+:".utf8.contains(byte)
    }
    if plain { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
