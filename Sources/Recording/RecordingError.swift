import Glibc

/// Why a file could not be read or written: what was tried, and what to type next.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// A file of that name is there, and nothing recorded is ever overwritten unasked.
    case exists
    case notFound
    case isDirectory
    /// A device, a pipe or a socket, in whose place no recording is put.
    case notRegular
    case notPermitted
    case readOnlyFileSystem
    case diskFull
    case empty
    /// Neither a recording nor text.
    case binary
    /// Begins like JSON but not like a recording.
    case notARecording
    /// Written by a newer program, in a version of the format that this one does not know.
    case newerVersion(Int64)
    case badHeader(String)
    case badLine(RRText.BadLine)
    /// Text of RR without a single interval.
    case noIntervals
    /// A place in a file of that format that is not what it should be, and why.
    case malformed(FileFormat, FilePlace, String)
    /// A file of that format without a single RR interval.
    case noBeats(FileFormat)
    /// So many sessions, where one is wanted.
    case severalSessions(FileFormat, Int)
    /// A copy of a whole history, where a session is wanted.
    case wholeHistory
    /// More bytes than are read into memory at once.
    case tooLarge(limit: Int)
    /// Another failure of a call to the system.
    case system(errno: CInt)
  }

  public var code: Code
  public var path: String

  public init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  /// From what a call left in `errno`.
  init(errno code: CInt, path: String) {
    self.path = path
    self.code =
      switch code {
      case EEXIST: .exists
      case ENOENT, ENOTDIR: .notFound
      case EISDIR: .isDirectory
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnlyFileSystem
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      default: .system(errno: code)
      }
  }

  public var description: String {
    switch code {
    case .exists: "\(path) exists already; choose another name, or add --force to replace it"
    case .notFound: "no such file or folder: \(path); look with: ls \(folder)"
    case .isDirectory: "\(path) is a folder; name a file in it"
    case .notRegular: "\(path) is not a file but a device, pipe or socket; choose another name"
    case .notPermitted: "no permission for \(path); look with: ls -ld \(folder) \(path)"
    case .readOnlyFileSystem: "\(path) lies on a file system that is read-only; choose another folder"
    case .diskFull: "no space left for \(path); make room (look with: df -h \(folder))"
    case .empty: "\(path) is empty: there is nothing to read"
    case .binary:
      "\(path) is in none of the formats that can be read; see which they are with: stressmon import --help"
    case .notARecording:
      "\(path) begins like JSON, but not with the header of a recording; of JSON, only what stressmon record and "
        + "stressmon export write can be read"
    case .newerVersion(let version):
      "\(path) is a recording in version \(version) of the format, and this program knows version "
        + "\(RecordingFormat.version); use a newer stressmon"
    case .badHeader(let why): "the header of the recording \(path) cannot be used: \(why)"
    case .badLine(let line) where line.reason != .noInterval:
      "\(path): \(line); choose the one to read with: --column NAME or --column N"
    case .badLine(let line):
      "\(path): \(line); mend the line, or add --skip-bad-lines to leave out such lines"
    case .noIntervals:
      "\(path) holds no RR interval: one per line or a table with a column of them is expected, in ms or s"
    case .malformed(let format, let place, let why):
      "\(path): \(place): \(why); it was read as \(format.name)"
    case .noBeats(let format): "\(path) holds no RR interval; it was read as \(format.name)"
    case .severalSessions(let format, let count):
      "\(path), a \(format.name), holds \(count) sessions, and one is wanted; store them with: stressmon import "
        + "\(path), then name one with: stressmon replay --session ID"
    case .wholeHistory:
      "\(path) is the database of a history; look into it with: stressmon history --db \(path)"
    case .tooLarge(let limit):
      "\(path) is larger than \(limit >> 20) MiB, too much for a list of RR intervals"
    case .system(let errno): "\(path): \(String(cString: strerror(errno)))"
    }
  }

  /// The folder that the file lies in.
  private var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Where in a file something is.
public enum FilePlace: Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  case line(Int)
  /// Counted from 0.
  case byte(Int)

  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

extension String {
  /// Text from a file as it may go to a terminal: without control characters, which could move its cursor.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
