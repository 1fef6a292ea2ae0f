import TestSupport
import Testing

@testable import Dashboard

@Suite struct ScriptCompactionTests {
  private func compacted(_ text: String) -> String {
    String(decoding: ScriptCompaction.compacted(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("// A comment\nconst a = 1;\n\nlet  b = a  +  2;\n", "const a=1;let b=a+2;\n"),
    ("if (a) {\n  b();\n} else {\n  c();\n}\n", "if(a){b()}else{c()}\n"),
    ("const text = \"a = b // c;\";\n", "const text=\"a = b // c;\";\n"),
    ("const s = `a  ${b + 1} \\` c`;\n", "const s=`a  ${b + 1} \\` c`;\n"),
    ("x = a + +b - -c;\n", "x=a+ +b- -c;\n"),
    ("const f = () => {\n}\ng()\nh();\n", "const f=()=>{}\ng()\nh();\n"),
    ("first\n  .second()\n  || third;\n", "first.second()||third;\n"),
    ("`a\n  // b\n c`;\n", "`a\n  // b\n c`;\n"),
  ])
  func whiteSpaceAndCommentsAreRemovedOutsideOfText(source: String, expected: String) {
    #expect(compacted(source) == expected)
  }

  @Test func theScriptHasOneScopeAndNoComments() async throws {
    let fixture = try ServerFixture(measures: false)
    let script = try await fixture.request("GET", "/assets/app.js").text
    #expect(script.hasPrefix("\"use strict\";(()=>{") && script.hasSuffix("})();\n"))
    #expect(!script.contains("\n//") && script.utf8.count <= 16_000)
  }

  /// The script finds elements by these names, which the pages contain.
  @Test func theNamesOfElementsAreThoseOfThePages() async throws {
    let fixture = try ServerFixture()
    let page = try await fixture.page("/")
    for name in [
      "id=\"ring\"", "id=\"chart-beats\"", "id=\"chart-beats-reading\"", "class=\"marks\"",
      "id=\"live-ectopic\"", "data-verdict=\"ectopic\"", "id=\"reasons\" data-refresh", "id=\"facts\"",
      "data-category=", "data-mood=", "id=\"announcer\"",
    ] {
      #expect(page.contains(name), "\(name)")
    }
  }
}
