import TestSupport
import Testing

/// What the programs contain: versions, licences and their lists.
@Suite(.ownThreads) struct ComponentTests {
  private let products = String(Program.stressmon.dropLast("/stressmon".count))
  private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func check(_ build: String) throws -> Outcome {
    try run("\(root)/Packaging/notices", "check", build)
  }

  /// Runs a program in a home that exists until it ends.
  private func run(_ program: String, _ arguments: String...) throws -> Outcome {
    let home = try Home()
    defer { withExtendedLifetime(home) {} }
    return try home.start(program, arguments).outcome()
  }

  @Test func everyLinkedComponentHasALicence() throws {
    let outcome = try check(products)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
  }

  /// A link list with an additional package, and one with an additional C library in a package.
  @Test(arguments: [
    ("left-pad", "LeftPad", "left-pad/*"), ("swift-nio", "CNew", "swift-nio/Sources/CNew/*"),
  ]) func anAdditionalComponentRequiresALicence(package: String, module: String, pattern: String) throws {
    let build = try TemporaryFolder(prefix: "build")
    let source = "/src/checkouts/\(package)/Sources/\(module)/source"
    let script = """
      mkdir -p "$1/stressmon.product" "$1/stressmon-net.product" "$1/$2.build"
      echo "$1/$2.build/source.o" | tee "$1/stressmon.product/Objects.LinkFileList" > "$1/stressmon-net.product/Objects.LinkFileList"
      case $2 in C*) echo "source.o: $3.c" > "$1/$2.build/source.d" ;; *) echo "$3.swift" > "$1/$2.build/sources" ;; esac
      """
    #expect(try run("/bin/sh", "-c", script, "sh", build.path, module, source).status == .exited(0))
    let outcome = try check(build.path)
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errors.contains("not described in Packaging/debian/copyright: \(pattern)"), "\(outcome.errors)")
  }

  @Test func bothProgramsListTheVersionsOfTheirComponents() throws {
    let home = try Home()
    let lines = try home.run("--version", "--verbose").lines
    for name in ["stressmon", "SQLite", "libdbus", "zlib", "expat", "grdb.swift", "swift-numerics"] {
      #expect(lines.contains { $0.wholeMatch(of: /(\S+) \d+(\.\d+)+/)?.1 == name[...] }, "\(name): \(lines)")
    }
    let network = try home.start("\(products)/stressmon-net", ["--verbose", "--version"]).outcome().lines
    for name in ["stressmon-net", "libmosquitto", "libnats", "libpq", "hummingbird", "swift-nio"] {
      #expect(
        network.contains { $0.wholeMatch(of: /(\S+) \d+(\.\d+)+/)?.1 == name[...] }, "\(name): \(network)")
    }
    #expect(!lines.contains { $0.hasPrefix("swift-nio ") || $0.hasPrefix("swift-crypto ") })
  }
}
