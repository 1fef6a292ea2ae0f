import FoundationEssentials
import Platform
import Testing

@Suite struct SwiftPackageTests {
  private func resolved() throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return try String(contentsOfFile: "/\(root)/Package.resolved", encoding: .utf8)
  }

  /// SwiftPM wrote Package.resolved before it compiled this test.
  @Test func theListHasThePackagesThatSwiftPMResolved() throws {
    let lines = try resolved().split(separator: "\n")
    func values(_ key: String) -> [String] {
      lines.filter { $0.contains("\"\(key)\" : \"") }.map { String($0.split(separator: "\"")[3]) }
    }
    let identities = values("identity")
    #expect(SwiftPackage.all.count >= 28)
    #expect(SwiftPackage.all.map(\.identity) == identities, "accept the resolved packages with: make pins")
    #expect(
      SwiftPackage.all.map(\.revision) == values("revision"),
      "accept the resolved versions with: make pins")
    #expect(SwiftPackage.all.map(\.location) == values("location"))
  }

  @Test func packagesNameTheProgramsThatContainThem() throws {
    func package(_ identity: String) throws -> SwiftPackage {
      try #require(SwiftPackage.all.first { $0.identity == identity })
    }
    #expect(try package("swift-argument-parser").isLinked(into: "stressmon"))
    #expect(try package("swift-nio").isLinked(into: "stressmon-net"))
    #expect(try !package("swift-nio").isLinked(into: "stressmon"))
    #expect(try !package("swift-nio-ssl").isLinked(into: "stressmon-net"))
  }
}
