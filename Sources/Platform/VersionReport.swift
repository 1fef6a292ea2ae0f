/// The version of the program, as `--version`, recordings and the history contain it. CHANGELOG.md lists the versions.
package let programVersion = "0.1.0"

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

/// A Swift package of the build, as `packages.txt` lists it.
///
/// The list contains the indirect packages too. `Packaging/pins` writes `Package.resolved` from it, and
/// `Packaging/notices check` compares the programs with the link lists of a build.
package struct SwiftPackage: Equatable, Sendable {
  package let identity: String
  package let version: String
  package let revision: String
  package let location: String
  private let programs: Substring

  /// All packages of the build, including those that no program contains.
  package static let all: [SwiftPackage] = String(decoding: PackageResources.packages_txt, as: UTF8.self)
    .split(separator: "\n").compactMap(SwiftPackage.init)

  /// Returns nil for comments and for lines without the five fields.
  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard !line.hasPrefix("#"), fields.count == 5 else { return nil }
    identity = String(fields[0])
    version = String(fields[1])
    revision = String(fields[2])
    location = String(fields[3])
    programs = fields[4]
  }

  /// Whether `program` (`stressmon` or `stressmon-net`) contains code of the package.
  package func isLinked(into program: String) -> Bool { programs == "both" || programs == program }
}
