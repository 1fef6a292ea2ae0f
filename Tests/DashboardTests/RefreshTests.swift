import TestSupport
import Testing

@testable import Dashboard

/// Parts of pages that the script fetches again when data arrive.
@Suite struct RefreshTests {
  @Test(arguments: [
    ("/trends", "trends"), ("/trends?show=mornings", "trends"), ("/trends/week", "week-report"),
    ("/history", "days"),
  ])
  func recordsAreInAPartWithAnAnnouncement(path: String, id: String) async throws {
    for fixture in [try ServerFixture(measures: false), try ServerFixture()] {
      let page = try await fixture.page(path)
      #expect(page.contains("id=\"\(id)\" data-refresh=\"New data are shown.\""))
    }
  }

  /// The script identifies parts by their ID.
  @Test(arguments: ["/", "/now/values", "/widget?size=large", "/trends", "/history"])
  func eachPartHasAnID(path: String) async throws {
    let page = try await ServerFixture().page(path)
    let parts = page.matches(of: /<[^>]* data-(?:refresh|live)[^>]*>/)
    #expect(!parts.isEmpty && parts.allSatisfy { $0.output.contains(" id=\"") })
    let ids = page.matches(of: /\ id="([^"]+)"/).map(\.output.1)
    #expect(Set(ids).count == ids.count)
  }

  @Test func unchangedDataGiveTheSamePart() async throws {
    let fixture = try ServerFixture()
    let pages = [try await fixture.page("/trends?show=year"), try await fixture.page("/trends?show=year")]
    #expect(pages[0] == pages[1])
  }
}
