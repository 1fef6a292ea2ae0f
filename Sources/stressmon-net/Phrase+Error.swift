import Age
import Dashboard
import Localization
import Platform

extension Phrase {
  /// The message of an error of any module.
  init(of error: any Error) {
    switch error {
    case let error as TokenStoreError: self = error.message
    case let error as AgeError: self = error.message
    default: self.init(describing: error)
    }
  }
}

extension TokenStoreError {
  /// The description as a phrase.
  fileprivate var message: Phrase {
    switch self {
    case .invalidName(let name):
      Phrase(
        """
        '\(name)' is no name of a token: expected 1 to 64 letters, digits, '-', '_' or '.'. \
        Example: stressmon serve token add obs --scope widget
        """)
    case .exists(let name):
      Phrase("there is a token '\(name)' already. Remove it first with: stressmon serve token remove \(name)")
    case .unknown(let name, let names) where names.isEmpty:
      Phrase("there is no token '\(name)'. Add one with: stressmon serve token add \(name) --scope hr")
    case .unknown(let name, let names):
      Phrase("there is no token '\(name)'. Tokens: \(names.joined(separator: ", "))")
    case .damaged(let path):
      Phrase("\(path) contains a line that is no token. Remove the file and add the tokens again: rm \(path)")
    case .file(let error): error.message
    }
  }
}

extension AgeError {
  /// The description as a phrase. Faults of the format of a file are described in English.
  fileprivate var message: Phrase {
    switch self {
    case .wrongPassphrase:
      Phrase("wrong passphrase; try again, or type the recovery key in: stressmon sync join FOLDER")
    case .emptyPassphrase: Phrase("the passphrase is empty")
    case .malformedKey(let reason): Phrase("invalid key: \(reason)")
    default: Phrase(untranslated: description)
    }
  }
}
