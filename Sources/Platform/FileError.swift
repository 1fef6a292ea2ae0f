import Glibc
package import Localization
import SystemPackage

/// Failure of a file operation. The description names the path and what to type next.
package struct FileError: Error, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The file exists, and replacing it was not requested.
    case exists
    case notFound
    case isDirectory
    /// A device, pipe or socket, which is never replaced.
    case notRegular
    case notPermitted
    case readOnlyFileSystem
    case diskFull
    /// A file of zero bytes, where content is required.
    case empty
    /// Any other failure of a system call.
    case system(errno: CInt)
  }

  package var code: Code
  package var path: String
  /// The error number of the system call; 0 if no system call failed.
  package var errno: CInt = 0

  package init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  package init(errno: CInt, path: String) {
    self.path = path
    self.errno = errno
    code =
      switch errno {
      case EEXIST: .exists
      case ENOENT, ENOTDIR: .notFound
      case EISDIR: .isDirectory
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnlyFileSystem
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      default: .system(errno: errno)
      }
  }

  /// The message in English.
  package var description: String { Language.english.text(message) }

  /// The system's message for ``errno``, without the path.
  package var reason: String {
    unsafe errno == 0 ? description : String(cString: strerror(errno))
  }
}

extension FileError: Translatable {
  /// Messages of the operating system are not translated.
  package var message: Phrase {
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
    case .system(let errno): unsafe Phrase("\(path): \(String(cString: strerror(errno)))")
    }
  }
}

extension FileError: Equatable {
  /// Compares code and path; several error numbers have the same code.
  package static func == (left: FileError, right: FileError) -> Bool {
    left.code == right.code && left.path == right.path
  }
}

extension FileError {
  /// Runs `body` and converts an `Errno` that it throws.
  package static func mapping<Result>(path: String, _ body: () throws -> Result) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      throw FileError(errno: (error as? Errno)?.rawValue ?? EIO, path: path)
    }
  }
}
