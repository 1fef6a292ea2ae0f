package import Localization

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
