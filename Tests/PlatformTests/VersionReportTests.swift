import Platform
import Testing

@Suite struct VersionReportTests {
  @Test(arguments: [
    (["--version", "--verbose"], true), (["--verbose", "--version"], true), (["--version"], false),
    (["--version", "--version"], false), (["live", "--version", "--verbose"], false),
  ]) func theReportRequiresBothOptions(arguments: [String], isRequested: Bool) {
    #expect(VersionReport.isRequested(by: arguments) == isRequested)
  }

  @Test func theReportListsLibrariesAndPackages() {
    let report = VersionReport(program: "stressmon", libraries: [LibraryVersion("SQLite", "3.40.1")])
    let lines = report.text.split(separator: "\n")
    #expect(lines.first == "stressmon \(programVersion)")
    #expect(lines.contains("SQLite 3.40.1"))
    #expect(lines.contains { $0.hasPrefix("swift-argument-parser ") })
    #expect(!lines.contains { $0.hasPrefix("swift-nio ") })
  }
}
