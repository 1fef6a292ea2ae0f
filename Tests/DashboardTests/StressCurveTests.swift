import Stress
import Testing

@testable import Dashboard

@Suite struct StressCurveTests {
  private func curve(_ stress: [(hour: Double, stress: Double)]) -> StressCurve {
    StressCurve(
      id: "c",
      values: stress.map {
        StressCurve.Value(start: $0.hour / 24, end: ($0.hour + 1) / 24, stress: $0.stress)
      },
      ticks: [], caption: "", table: DataTable(caption: "", headings: [], rows: []))
  }

  /// The text of an attribute of each element that begins with `element`.
  private func values(_ html: String, _ element: String, _ attribute: String) -> [String] {
    html.split(separator: element, omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstRange(of: " \(attribute)=\"").map { String(part[$0.upperBound...].prefix { $0 != "\"" }) }
    }
  }

  @Test func adjacentValuesOfACategoryAreOneLineAndOthersMeetHalfway() {
    let html = curve([(0, 10), (1, 20), (2, 40)]).svg.text
    // From 0 at the top to 1000: 0.98 - 0.94 * stress / 100.
    #expect(
      values(html, "<path class=\"curve-line relaxed\"", "d") == ["M0 886L21 886L42 839L63 792L83 698"])
    #expect(values(html, "<path class=\"curve-line mild\"", "d") == ["M83 698L104 604L125 604"])
    #expect(
      values(html, "<clipPath id=\"c-mild\"", "d") == [
        "M0.0833 1.0000L0.0833 0.6980L0.1042 0.6040L0.1250 0.6040L0.1250 1.0000Z"
      ])
  }

  @Test func aGapEndsTheLine() {
    let html = curve([(0, 10), (5, 10)]).svg.text
    #expect(values(html, "<path class=\"curve-line relaxed\"", "d").count == 2)
    #expect(html.contains("url(#c-relaxed)") && !html.contains("c-high"))
  }
}
