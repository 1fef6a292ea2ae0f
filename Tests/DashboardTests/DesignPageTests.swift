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
}
