import TestSupport
import Testing

@testable import Plot

@Suite struct TrendFigureTests {
  @Test("Arbitrary values and titles give a well-formed document", arguments: [0, 1, 2, 30, 400])
  func wellFormed(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let parts = (0..<count).map { place in
      let mark = TrendFigure.Mark(
        mean: .random(in: 0...100, using: &random), deviation: place % 3 == 0 ? nil : 8)
      let isMeasured = Bool.random(using: &random)
      return TrendFigure.Part(
        label: "\(place)", stress: isMeasured ? mark : nil, hrv: isMeasured ? mark : nil, heartRate: mark)
    }
    let svg = TrendFigure(
      title: "a<b>&\"'\u{0}\u{202E}", parts: parts, hrvName: "RMSSD", normal: count > 1 ? 38...52 : nil,
      restingHeartRate: 58
    ).svg
    #expect(svg.contains("a&lt;b&gt;&amp;&quot;&#39;"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    var open: [Substring] = []
    for tag in svg.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if tag.1 == "/" { #expect(open.popLast() == tag.2) } else if tag.3.isEmpty { open.append(tag.2) }
    }
    #expect(open.isEmpty)
    #expect(svg.matches(of: /<circle cx=[^>]*r="3.4"/).count == parts.count { $0.hrv != nil } + count)
    #expect(svg.contains("normal at rest") == (count > 1 && parts.contains { $0.hrv != nil }))
  }

  @Test("Bars have the colour, pattern and outline of their category, and the legend lists all")
  func categories() {
    let parts = [5.0, 30, 60, 90].map {
      TrendFigure.Part(label: "x", stress: TrendFigure.Mark(mean: $0, deviation: 1), hrv: nil, heartRate: nil)
    }
    let svg = TrendFigure(title: "x", parts: parts, hrvName: "SDNN", normal: nil, restingHeartRate: 60).svg
    for name in ["relaxed", "mild", "moderate", "high"] {
      #expect(svg.contains("<pattern id=\"\(name)\""))
      #expect(svg.components("fill=\"url(#\(name))\" stroke=\"#374151\"") == 2)
      #expect(svg.contains(">\(name) "))
    }
    #expect(TrendFigure.Mark(mean: .nan, deviation: nil) == nil)
  }

  /// 40 and 41 ms differ by 1 ms: an eighth of the axis of 160, which shows at least 8 ms.
  @Test func similarValuesAreShownCloseTogether() throws {
    let parts = [40.0, 41].map {
      TrendFigure.Part(
        label: "x", stress: nil, hrv: TrendFigure.Mark(mean: $0, deviation: nil), heartRate: nil)
    }
    let svg = TrendFigure(title: "x", parts: parts, hrvName: "RMSSD", normal: nil, restingHeartRate: 60)
      .nights
    let heights = svg.matches(of: /cy="([0-9.]+)" r="3.4"/).compactMap { Double($0.1) }
    try #require(heights.count == 2)
    #expect(heights[0] - heights[1] > 0 && heights[0] - heights[1] <= 20)
  }
}

extension String {
  /// Returns the number of occurrences of `part`.
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
