import HRV
import HeartRate
import TestSupport
import Testing

@testable import Plot

struct BeatFigureTests {
  /// `count` beats around 800 ms, with all verdicts in turn if `isJudged`.
  private func beats(_ count: Int, isJudged: Bool = true, seed: UInt64 = 1) -> [Beat] {
    var random = SeededGenerator(seed: seed)
    var end = SessionTime.zero
    return (0..<count).map { index in
      let rr = RRInterval(ticks: .random(in: 50_000_000...80_000_000, using: &random))
      end = end + rr
      let verdict = Verdict.allCases[index % 20 == 0 && isJudged ? index / 20 % Verdict.allCases.count : 0]
      return Beat(end: end, rr: rr, verdict: verdict, followsBreak: index == 0)
    }
  }

  @Test("Arbitrary titles and numbers of beats give a well-formed document", arguments: [0, 1, 2, 30, 500])
  func wellFormed(count: Int) throws {
    let title = "a<b>&\"'\u{0}\u{1B}[31m\u{202E}\u{FFFF}]]>.txt"
    let all = beats(count)
    let svg = BeatFigure(title: title, beats: all, series: all).svg
    #expect(svg.contains("a&lt;b&gt;&amp;&quot;&#39;"))
    let isClean = svg.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0xFFFF }
    #expect(isClean)
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    var open: [Substring] = []
    for tag in svg.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if tag.1 == "/" {
        #expect(open.popLast() == tag.2)
      } else if tag.3.isEmpty {
        open.append(tag.2)
      }
    }
    #expect(open.isEmpty)
    // The title does not add tags.
    #expect(svg.count(where: { $0 == "<" }) == svg.matches(of: /<\/?[a-z]+[^<>]*>|<\?xml[^<>]*>/).count)
  }

  @Test("Each verdict has its own shape, and the legend contains its name and count")
  func marks() {
    let all = beats(400)
    let svg = BeatFigure(title: "x", beats: all, series: all).svg
    for verdict in Verdict.allCases where !verdict.isNormal && verdict != .gap {
      let count = all.count { $0.verdict == verdict }
      #expect(count > 0 && svg.contains(">\(verdict.rawValue) \(count)</text>"))
      #expect(svg.contains("href=\"#\(verdict.rawValue)\"") && svg.contains("id=\"\(verdict.rawValue)\""))
    }
    #expect(Set(BeatMark.all.map(\.shape)).count == BeatMark.all.count)
    #expect(svg.contains(">gap "))
    for words in [
      "RR interval (ms)", "time (min:s)", "next NN interval (ms)", "frequency (Hz)", "SD1 ", "SD2 ",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    for band in ["VLF", "LF", "HF"] { #expect(svg.contains(">\(band)</text>")) }
  }

  @Test("The texts inside the charts of a page are those of the caller")
  func texts() {
    var texts = FigureTexts(
      verdicts: [.ectopic: "ektop", .gap: "Luecke"], categories: [:], absence: { _ in "zu wenige Daten" })
    (texts.minutes, texts.rrInterval, texts.nnInterval) = (
      "Zeit (min:s)", "RR-Intervall (ms)", "NN-Intervall (ms)"
    )
    (texts.nextNNInterval, texts.frequency) = ("naechstes NN-Intervall (ms)", "Frequenz (Hz)")
    (texts.density, texts.densityInThousands) = ("Dichte", "Dichte in Tausend")
    (texts.noBeats, texts.noPairs) = ("keine Schlaege <b>", "keine Paare")
    let all = beats(400)
    let figure = BeatFigure(beats: all, texts: texts)
    let tachogram = figure.tachogram(name: "x", at: []).svg
    for text in ["Zeit (min:s)", "RR-Intervall (ms)", ">ektop ", ">Luecke "] {
      #expect(tachogram.contains(text), "\(text)")
    }
    let poincare = figure.poincare(name: "x").svg
    #expect(poincare.contains("NN-Intervall (ms)") && poincare.contains("naechstes NN-Intervall (ms)"))
    let bands = SpectralBands(lombScargle: NNSegments(all))
    #expect(figure.spectrum(bands, name: "x").svg.contains("Frequenz (Hz)"))
    for svg in [tachogram, poincare] {
      #expect(!svg.contains("RR interval") && !svg.contains("next NN") && !svg.contains(">ectopic "))
    }
    let empty = BeatFigure(beats: [], texts: texts)
    #expect(empty.tachogram(name: "x", at: []).svg.contains("keine Schlaege &lt;b&gt;"))
    #expect(empty.poincare(name: "x").svg.contains("keine Paare"))
    let absent = SpectralBands(lombScargle: NNSegments([]))
    #expect(empty.spectrum(absent, name: "x").svg.contains("zu wenige Daten"))
  }

  @Test("The time axis is named by the format of its labels")
  func timeAxis() {
    let frame = Frame(left: 0, top: 0, width: 700, height: 100)
    let minutes = TimeAxis.axis(from: 0, to: 400, frame)
    #expect(TimeAxis.name(minutes) == "time (min:s)" && TimeAxis.label(90, on: minutes) == "1:30")
    let hours = TimeAxis.axis(from: 0, to: 9000, frame)
    #expect(TimeAxis.name(hours) == "time (h:min:s)" && TimeAxis.label(90, on: hours) == "0:01:30")
    #expect(TimeAxis.label(7200, on: hours) == "2:00:00")
  }

  @Test("Meaningful colours have a contrast of at least 4.5:1 with the background")
  func contrast() {
    for colour in Ink.foregrounds { #expect(ratio(colour, Ink.ground) >= 4.5, "\(colour)") }
    for shade in ["#eceff3", "#d5dbe3", Ink.shade] { #expect(ratio(Ink.text, shade) >= 7, "\(shade)") }
  }

  /// Contrast ratio from relative luminance (WCAG 2.2).
  private func ratio(_ a: String, _ b: String) -> Double {
    func luminance(_ colour: String) -> Double {
      let value = UInt32(colour.dropFirst(), radix: 16) ?? 0
      let channels = [16, 8, 0].map { Double(value >> $0 & 255) / 255 }
      // The exponent 2.4 is computed as 12/5: the fifth root by Newton's method, then the twelfth power.
      let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : power24(($0 + 0.055) / 1.055) }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  private func power24(_ x: Double) -> Double {
    var root = x
    for _ in 0..<60 { root -= (root * root * root * root * root - x) / (5 * root * root * root * root) }
    return x * x * root * root
  }

  @Test("A week of beats gives a small file that contains the extremes")
  func large() {
    var all = beats(700_000, isJudged: false)
    all[345_678].rr = RRInterval(ticks: 2_400 * 80_000)
    all[345_678].verdict = .missed
    let svg = BeatFigure(title: "week", beats: all, series: all).svg
    #expect(svg.utf8.count < 2_000_000, "\(svg.utf8.count)")
    #expect(svg.contains("missed 1"))
    let points = all.map { (x: $0.end.seconds / 1000, y: $0.rr.milliseconds) }
    let kept = Thinning.kept(points, column: 0.5)
    #expect(kept.count <= 4 * 1300 && kept.contains(345_678))
    #expect(kept == kept.sorted() && Set(kept).count == kept.count && kept.first == 0 && kept.last == 699_999)
  }

  @Test("Axis ticks are few and within the axis", arguments: 0..<200)
  func ticks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let low = Double.random(in: -1000...1000, using: &random)
    let spans: [Double] = [0, 1e-6, 0.3, 7, 100, 9999]
    let span = spans.randomElement(using: &random) ?? 1
    let axis = Axis(covering: low...low + span, from: 300, to: 100)
    #expect((1...12).contains(axis.ticks.count))
    #expect(axis.values.lowerBound <= low && axis.values.upperBound >= low + span - 1e-9)
    #expect(axis.ticks.allSatisfy { (99.9...300.1).contains(axis($0)) })
  }

  @Test(arguments: [48.5, 0, -3, 900])
  func aSingleValueHasAnAxisWithSeveralTicks(value: Double) {
    let axis = Axis(covering: value...value, from: 300, to: 100)
    #expect(
      axis.ticks.count >= 3 && axis.values.lowerBound <= value - 1 && axis.values.upperBound >= value + 1)
  }
}
