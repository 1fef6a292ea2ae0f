import Localization
import TestSupport
import Testing

@testable import Dashboard

@Suite struct DesignPageTests {
  @Test func namesThatAreUsedBeforeAreChangedWithTheirReferences() {
    var used = Set<String>()
    let field: HTML =
      "<label for=\"a\">A</label><input id=\"a\" aria-label=\"A\"><svg fill=\"url(#a)\"/><a href=\"#b\"></a>"
    #expect(field.named(apartFrom: &used) == field)
    #expect(
      field.named(apartFrom: &used).text
        == "<label for=\"a-2\">A</label><input id=\"a-2\" aria-label=\"A-2\"><svg fill=\"url(#a-2)\"/><a href=\"#b\"></a>"
    )
    let region: HTML = "<section aria-labelledby=\"a\"><h2 id=\"a\">A</h2></section>"
    #expect(
      region.named(apartFrom: &used).text == "<section aria-label=\"a-3\"><h2 id=\"a-3\">A</h2></section>")
  }

  @Test func thePageOfAllComponentsIsServedToDevelopersOnly() async throws {
    let fixture = try ServerFixture(measures: false)
    #expect(try await fixture.request("GET", "/design").status == 404)
    var options = fixture.options
    options.isDeveloper = true
    let endpoints = DashboardEndpoints(
      options: options, hub: fixture.hub, runner: ActivityRunner(options.program)
    ).table
    #expect(try endpoints.endpoint("GET", "/design").endpoint.path == "/design")
  }

  /// Each component is shown, also widgets, charts and components of the settings, and the same at each request.
  @Test func componentsAreTheSameAtEachRequest() throws {
    let options = try ServerFixture(measures: false).options
    let context = PageContext(
      query: .none, profile: "me", reader: nil, live: nil, language: options.catalogues.language("en"),
      isReadOnly: false, options: options, preferences: PagePreferences())
    func groups() throws -> [DesignPage.Group] { try DesignPage.groups(context) }
    let names = try groups().map(\.name)
    #expect(Set(names).count == names.count)
    for name in ["Widget", "Trends", "Mornings", "Straps", "Checks of the doctor", "Access tokens"] {
      #expect(names.contains(name))
    }
    let pictures = try groups().flatMap(\.specimens).map(\.html.text)
    #expect(!pictures.contains(""))
    #expect(try groups().flatMap(\.specimens).map(\.html.text) == pictures)
  }
}
