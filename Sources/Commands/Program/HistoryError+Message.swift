import History
import Localization

extension HistoryError {
  /// The description as a phrase. Only the messages of the most frequent codes are translated.
  var message: Phrase {
    guard let cause = frequentReason, let remedy = frequentRemedy else {
      return Phrase(untranslated: description)
    }
    let detail = detail.map { " (\($0))" } ?? ""
    return switch attempt {
    case .open: Phrase("cannot open the history \(path): \(cause)\(detail). \(remedy)")
    case .read: Phrase("cannot read the history \(path): \(cause)\(detail). \(remedy)")
    case .write: Phrase("cannot write the history \(path): \(cause)\(detail). \(remedy)")
    case .erase: Phrase(untranslated: description)
    }
  }

  private var frequentReason: Phrase? {
    switch code {
    case .locked: Phrase("it is locked by another program")
    case .diskFull: Phrase("the disk is full")
    case .readOnly: Phrase("it is not writable")
    case .notADatabase: Phrase("the file is not an SQLite database")
    case .cannotCreate: Phrase("the file does not exist and cannot be created")
    case .permissionDenied: Phrase("permission denied")
    default: nil
    }
  }

  private var frequentRemedy: Phrase? {
    let file = Self.quoted(path)
    return switch code {
    case .locked: Phrase("Find that program with: fuser -v \(file)")
    case .diskFull: Phrase("Show the free space with: df -h \(file)")
    case .readOnly:
      Phrase("Show its permissions with: ls -la \(file), or choose another file with --db PATH.")
    case .notADatabase, .cannotCreate: Phrase("Choose another file with --db PATH.")
    case .permissionDenied:
      Phrase("Show its owner with: ls -la \(file), or choose another file with --db PATH.")
    default: nil
    }
  }
}
