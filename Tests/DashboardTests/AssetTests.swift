import FoundationEssentials
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

  @Test func fontsAreServedIfTheyAreInstalled() async throws {
    let fixture = try ServerFixture(measures: false)
    let style = try await fixture.request("GET", "/assets/style.css").text
    #expect(!style.contains("@font-face") && style.contains("--body:stressmon-body,Raleway, system-ui"))
    #expect(try await fixture.request("GET", "/assets/lora.woff2").status == 404)
    try "wOF2".write(toFile: fixture.folder.file("raleway.woff2"), atomically: true, encoding: .utf8)
    let fonts = PageFonts(folders: ["/nowhere", fixture.folder.path])
    #expect(fonts.fonts.map(\.path) == ["/assets/raleway.woff2"])
    #expect(
      fonts.rules == "@font-face{font-family:stressmon-body;font-weight:400 700;font-display:swap;"
        + "src:url(/assets/raleway.woff2) format(\"woff2\")}\n")
    #expect(AssetEndpoints(fonts).endpoints.contains { $0.path == "/assets/raleway.woff2" })
    #expect(SecurityHeaders.contentSecurityPolicy.contains("font-src 'self'"))
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
