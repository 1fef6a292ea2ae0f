package import Localization
internal import Platform

/// A fault of the vault. Each is reported as long as it persists; everything else is processed.
package enum SyncFinding: Hashable, Sendable {
  case conflictCopy(path: String)
  /// A name that stressmon does not write.
  case foreignFile(path: String)
  /// Cannot be decrypted: truncated or changed.
  case damaged(path: String)
  /// Decrypted, but not written by a device of the vault.
  case forged(path: String)
  /// A new file of format 1 in the name of a device that signs its files.
  case unsigned(path: String, device: SharedID)
  /// Encrypted for a key that this device does not have.
  case unknownKey(path: String)
  /// A new file for a key that was replaced.
  case oldKey(path: String, device: SharedID)
  /// A new file that is not used before this device has the later key of the folder.
  case paused(path: String, device: SharedID)
  case newerFormat(path: String)
  /// Authentic content at another path than it was written to.
  case misplaced(path: String, expected: String)
  /// The same file at two paths.
  case duplicate(path: String, of: String)
  /// Two different contents with one number.
  case numberUsedTwice(path: String, device: SharedID, number: Int)
  /// Written, not withdrawn and never read here: late or lost.
  case missing(device: SharedID, NumberSet)
  /// Read before, not withdrawn, and no longer in the folder.
  case removed(device: SharedID, NumberSet)
  /// The directory of a device that was read before.
  case missingDevice(SharedID)
  /// An older state of a device than the one that was read.
  case rolledBack(device: SharedID, found: Int, read: Int)
  /// Files of this device were removed or damaged; they are written again.
  case repaired(NumberSet)
  /// The history is older than the folder; this device continues with a new identifier.
  case restoredHistory(old: SharedID, new: SharedID)
  /// This device signs its files from now on (format 2), with a new identifier.
  case upgraded(old: SharedID, new: SharedID)
  case clockAhead(device: SharedID, milliseconds: Int64)
}

extension SyncFinding: CustomStringConvertible {
  /// The sentence in English.
  package var description: String { Language.english.text(message(\.text)).withoutControlCharacters }

  /// The sentence for people. File names in it were chosen by the operator of the folder.
  /// - Parameter name: the text that denotes a device.
  package func message(_ name: (SharedID) -> String) -> Phrase {
    switch self {
    case .conflictCopy(let path):
      Phrase("\(path) is a synchroniser's copy of a conflict and is ignored; delete it")
    case .foreignFile(let path): Phrase("\(path) is not a file of stressmon and is ignored")
    case .damaged(let path): Phrase("\(path) is incomplete or damaged; it is read again when it changes")
    case .forged(let path):
      Phrase(
        """
        \(path) was not written by a device of this vault and is not used; find out who can write to the folder
        """)
    case .unsigned(let path, let device):
      Phrase(
        """
        \(path) is not signed, although device \(name(device)) signs its files, and is not used: another device wrote it, or a \
        copy of this history that is older than the folder; find out who can write to the folder
        """)
    case .newerFormat(let path): Phrase("\(path) was written by a newer version; update stressmon")
    case .misplaced(let path, let expected):
      Phrase("\(path) was moved or renamed by another program; it belongs to \(expected)")
    case .duplicate(let path, let other): Phrase("\(path) is a copy of \(other); delete it")
    case .numberUsedTwice(let path, let device, let number):
      Phrase("\(path): device \(name(device)) wrote two different files with number \(number); both are used")
    case .oldKey(let path, let device):
      Phrase(
        """
        \(path) is new but encrypted with a replaced key and is not used; if device \(name(device)) is yours, sync on that device
        """)
    case .paused(let path, let device):
      Phrase(
        """
        \(path) of device \(name(device)) is not used before this device has the new key; type: stressmon sync join FOLDER
        """)
    case .unknownKey(let path):
      Phrase(
        """
        \(path) is encrypted with a key that this device does not have; if a device was forgotten, type: stressmon sync join FOLDER
        """)
    case .missing(let device, let numbers):
      Phrase(
        """
        files \(numbers.description) of device \(name(device)) have not arrived; wait for the synchroniser, then sync on that device
        """)
    case .removed(let device, let numbers):
      Phrase(
        """
        files \(numbers.description) of device \(name(device)) were removed from the folder by another program; the local data are \
        kept
        """)
    case .missingDevice(let device):
      Phrase("the directory of device \(name(device)) is missing in the folder; the local data are kept")
    case .rolledBack(let device, let found, let read):
      Phrase(
        """
        the folder contains an older state of device \(name(device)) (version \(found), already read: \(read)): it was restored \
        from a backup or manipulated; the local data are kept
        """)
    case .repaired(let numbers):
      Phrase(
        """
        files \(numbers.description) of this device were missing or damaged in the folder and are written again
        """)
    case .clockAhead(let device, let milliseconds):
      Phrase(
        """
        the clock of device \(name(device)) is \(milliseconds / 3_600_000) hours ahead of this one; check both clocks
        """)
    case .restoredHistory(let old, let new):
      Phrase(
        """
        the history is older than the folder, for example restored from a backup: this device was \(old) and is now \(new)
        """)
    case .upgraded(let old, let new):
      Phrase(
        """
        this device signs its files from now on (format 2): it was \(old) and is now \(new); the next sync removes the directory \
        \(old)
        """)
    }
  }
}
