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
