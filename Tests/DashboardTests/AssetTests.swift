import TestSupport
import Testing

@testable import Dashboard

@Suite struct AssetTests {
  /// Regression: the removal of white space from the script also removed it from texts in nested templates.
  @Test func theScriptIsServedUnchangedInOneScope() async throws {
    let fixture = try ServerFixture(measures: false)
    let script = try await fixture.request("GET", "/assets/app.js").text
    #expect(script.hasPrefix("\"use strict\";\n(() => {\n") && script.hasSuffix("\n})();\n"))
    #expect(script.contains("`${names[place + 1]} ${value}`"))
    for part in [
      PackageResources.page_js, PackageResources.charts_js, PackageResources.refresh_js,
      PackageResources.live_js, PackageResources.breathe_js,
    ] {
      #expect(script.contains(String(decoding: part, as: UTF8.self)))
    }
  }

  /// The script finds elements by these names, which the pages contain.
  @Test func theNamesOfElementsAreThoseOfThePages() async throws {
    let fixture = try ServerFixture()
    let page = try await fixture.page("/")
    for name in [
      "id=\"ring\" data-live", "id=\"chart-beats\"", "id=\"chart-beats-reading\"", "class=\"marks\"",
      "id=\"live-ectopic\"", "data-verdict=\"ectopic\"", "id=\"reasons\"", "id=\"facts\"",
      "data-category=", "data-mood=", "id=\"announcer\"",
    ] {
      #expect(page.contains(name), "\(name)")
    }
  }
}
