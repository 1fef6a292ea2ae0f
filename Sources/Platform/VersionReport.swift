/// The name and the version of a C library, as the library itself reports it at run time.
package struct LibraryVersion: Equatable, Sendable {
  package let name: String
  package let version: String

  package init(_ name: String, _ version: String) {
    self.name = name
    self.version = version
  }
}

/// The output of `--version --verbose`: the versions of a program, of the C libraries in the process, and of the Swift packages that
/// the program contains. It contains names and numbers only, so it is not translated.
package struct VersionReport {
  private let program: String
  private let libraries: [LibraryVersion]

  package init(program: String, libraries: [LibraryVersion]) {
    self.program = program
    self.libraries = libraries
  }

  /// Whether the arguments are `--version --verbose`, in any order.
  package static func isRequested(by arguments: [String]) -> Bool {
    arguments.count == 2 && Set(arguments) == ["--version", "--verbose"]
  }

  /// One line `NAME VERSION` for each component.
  package var text: String {
    let packages = SwiftPackage.all.filter { $0.isLinked(into: program) }
    let lines =
      ["\(program) \(programVersion)"] + libraries.map { "\($0.name) \($0.version)" }
      + packages.map { "\($0.identity) \($0.version)" }
    return lines.joined(separator: "\n")
  }
}
