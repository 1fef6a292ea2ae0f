internal import Glibc

/// Where the history lies: one SQLite file, with its `-wal` and `-shm` beside it.
package struct StoreLocation: Equatable, Sendable {
  /// Absolute path of the database file.
  package let path: String
  /// Whether the folder is the program's own, and not one that the person chose.
  let ownsFolder: Bool
  /// Folder of the default history, which claims on a strap are kept in whatever the database is.
  let dataFolder: String
  /// Folder for claims where the one of the history cannot be written.
  let runtimeFolder: String

  /// Takes `path` if given, else `STRESSMON_DB`, else `stressmon/stressmon.db` in `XDG_DATA_HOME`, which is
  /// `~/.local/share` unless set (XDG Base Directory Specification 0.8: relative values are ignored).
  /// - Throws: ``HistoryError`` with the code `noFolder` when none of them says a place. Touches no file.
  package init(path: String? = nil, environment: [String: String]) throws(HistoryError) {
    let chosen = path ?? environment.nonEmpty("STRESSMON_DB")
    let data =
      environment.absolute("XDG_DATA_HOME") ?? environment.nonEmpty("HOME").map { $0 + "/.local/share" }
    guard chosen != nil || data != nil, chosen != "" else {
      throw HistoryError(.noFolder, path: chosen ?? "stressmon.db", .open)
    }
    let temporary = "/tmp/stressmon-\(getuid())"
    dataFolder = data.map { $0 + "/stressmon" } ?? temporary
    runtimeFolder = environment.absolute("XDG_RUNTIME_DIR").map { $0 + "/stressmon" } ?? temporary
    ownsFolder = chosen == nil
    self.path = Self.absolute(chosen ?? dataFolder + "/stressmon.db")
  }

  /// The folder that the database lies in.
  var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Against the working folder of now, so that a later change of it does not move the history.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    return String(cString: working) + "/" + path
  }
}

extension [String: String] {
  fileprivate func nonEmpty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
  fileprivate func absolute(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
