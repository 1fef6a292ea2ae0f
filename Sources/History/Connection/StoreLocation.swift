internal import Glibc
internal import Platform

/// The path of the history: one SQLite file, with its `-wal` and `-shm` next to it.
package struct StoreLocation: Equatable, Sendable {
  /// Absolute path of the database file.
  package let path: String
  /// Whether the folder is the default one, whose mode the program sets.
  let ownsFolder: Bool
  /// Whether an option names the file, such as `--db`.
  package var isNamed = false
  /// Whether a missing file is an error. By default, nothing is stored yet, and a writer creates the file.
  package var mustExist = false
  /// Folder of the default history. Locks on straps are stored in it, whichever database is used.
  let dataFolder: String
  /// Folder for locks if the folder of the history is not writable.
  let runtimeFolder: String

  /// Uses `path`, else `STRESSMON_DB`, else `stressmon/stressmon.db` in `XDG_DATA_HOME`, by default `~/.local/share` (XDG Base
  /// Directory Specification 0.8: relative values are ignored). Accesses no file.
  /// - Throws: ``HistoryError`` with the code `noFolder` if none of them is set.
  package init(path: String? = nil, environment: [String: String]) throws(HistoryError) {
    let chosen = path ?? environment.nonEmpty("STRESSMON_DB")
    let data =
      environment.absolute("XDG_DATA_HOME") ?? environment.nonEmpty("HOME").map { $0 + "/.local/share" }
    guard chosen != nil || data != nil, chosen != "" else {
      throw HistoryError(.noFolder, path: chosen ?? "stressmon.db", .open)
    }
    let temporary = "/tmp/stressmon-\(getuid())"
    dataFolder = data.map { $0 + "/stressmon" } ?? temporary
    runtimeFolder = ProcessEnvironment(variables: environment).runtimeFolder
    ownsFolder = chosen == nil
    self.path = Self.absolute(chosen ?? dataFolder + "/stressmon.db")
  }

  /// ``path`` with the symbolic links of its folder resolved, if the folder exists. Equal for each spelling of one file.
  package var resolvedPath: String {
    guard let resolved = unsafe realpath(folder, nil) else { return path }
    defer { unsafe free(resolved) }
    let name = path.split(separator: "/").last ?? ""
    return unsafe String(cString: resolved) + "/" + name
  }

  /// The folder of the database.
  var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Resolves `path` against the current working directory, because the directory can change later.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let working = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(working) }
    return unsafe String(cString: working) + "/" + path
  }
}

extension [String: String] {
  fileprivate func nonEmpty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
  fileprivate func absolute(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
