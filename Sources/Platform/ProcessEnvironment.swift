import Glibc

/// The environment variables of the process.
package struct ProcessEnvironment: Sendable {
  package let variables: [String: String]

  package init(variables: [String: String]) { self.variables = variables }

  package static let current = ProcessEnvironment(
    variables: withUsableFolders(readEnvironment(), home: homeOfPasswordDatabase()))

  /// The value of a variable. An empty variable counts as unset.
  package subscript(variable: String) -> String? {
    variables[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A path with `~/` as the home directory, for paths in settings and URLs, in which the shell does not replace it.
  package func expandingTilde(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = self["HOME"] else { return path }
    return home + path.dropFirst()
  }

  /// Replaces HOME by `home` unless it is an absolute path, and removes XDG_* variables that are empty or relative (XDG
  /// Base Directory Specification 0.8: "All paths set in these environment variables must be absolute").
  package static func withUsableFolders(
    _ environment: [String: String], home: @autoclosure () -> String?
  ) -> [String: String] {
    var usable = environment.filter { name, value in
      !folderVariables.contains(name) || value.hasPrefix("/")
    }
    if usable["HOME"] == nil { usable["HOME"] = home() }
    return usable
  }

  private static let folderVariables: Set = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CACHE_HOME",
  ]

  /// The folder of sockets and locks: `stressmon` in XDG_RUNTIME_DIR, by default `/tmp/stressmon-UID`.
  package var runtimeFolder: String {
    guard let folder = self["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
      return "/tmp/stressmon-\(getuid())"
    }
    return folder + "/stressmon"
  }

  /// The home directory in the user's passwd entry, if there is an entry and the path is absolute.
  private static func homeOfPasswordDatabase() -> String? {
    guard let entry = unsafe getpwuid(getuid()), let home = unsafe entry.pointee.pw_dir else { return nil }
    let path = unsafe String(cString: home)
    return path.hasPrefix("/") ? path : nil
  }

  private static func readEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let pair = unsafe entry.pointee {
      let text = unsafe String(cString: pair)
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return variables
  }
}

extension ProcessEnvironment {
  /// The directories of the translations, in order of precedence: TEXTDOMAINDIR, as for gettext(1); the installed one,
  /// relative to a program in `bin` or in `libexec/stressmon`; that of a build in `.build/PLATFORM/debug`.
  package var catalogueFolders: [String] {
    let place = Folder.ofProgram
    let named = self["TEXTDOMAINDIR"].map { [$0] } ?? []
    return named + ["\(place)/../share/locale", "\(place)/../../share/locale", "\(place)/../../locale"]
  }

  /// The directories of the fonts of pages, in order of precedence: the installed one, relative to a program in
  /// `libexec/stressmon`; that of a build in `.build/PLATFORM/release`.
  package var fontFolders: [String] {
    ["\(Folder.ofProgram)/../../share/stressmon/fonts", "\(Folder.ofProgram)/../../fonts"]
  }
}
