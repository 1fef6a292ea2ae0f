import Localization
import Platform

extension FileError {
  /// The description as a phrase; messages of the operating system are not translated.
  var message: Phrase {
    let folder = Folder.parent(of: path)
    return switch code {
    case .exists: Phrase("\(path) exists already; choose another name, or add --force to replace it")
    case .notFound: Phrase("no such file or folder: \(path); list the folder with: ls \(folder)")
    case .isDirectory: Phrase("\(path) is a folder; name a file in it")
    case .notRegular: Phrase("\(path) is not a file but a device, pipe or socket; choose another name")
    case .notPermitted:
      Phrase("permission denied: \(path); show the permissions with: ls -ld \(folder) \(path)")
    case .readOnlyFileSystem: Phrase("\(path) is on a read-only file system; choose another folder")
    case .diskFull: Phrase("no space left for \(path); show the free space with: df -h \(folder)")
    case .empty: Phrase("\(path) is empty")
    case .system: Phrase(untranslated: description)
    }
  }
}
