import Design
import LiveSession
import Localization
import Reports
import Stress

/// The ring: the stress value as an arc with the hue and the pattern of its category, and the range of the next minute as a
/// thin arc inside. The buddy stands in the ring, above the number.
struct StressRing: Sendable {
  let report: StatusReport?
  let context: PageContext

  private var category: StressCategory? { report?.category }

  /// A new category is announced, and the value with which a session ends.
  private var key: String {
    guard let category else { return "" }
    return report?.freshness == .ended ? "\(category.rawValue) ended" : category.rawValue
  }

  var html: HTML {
    """
    <div class="ring" id="ring" data-live data-key="\(key)"\(attribute: "data-announce", category == nil ? nil : label)>
    <div class="ring-stage"><svg viewBox="0 0 200 200" role="img" aria-label="\(label)">
    <circle class="ring-track" cx="100" cy="100" r="94"/>
    <g transform="rotate(-90 100 100)">
    \(arc("ring-line"))
    \(arc("ring-hue"))
    \(arc("ring-pattern"))
    <circle class="ring-range" cx="100" cy="100" r="82" pathLength="100"\
     stroke-dasharray="\(rangeLength) 100" stroke-dashoffset="-\(low)"/>
    </g>
    <text class="ring-number" x="100" y="149" text-anchor="middle">\(number)</text>
    <text class="ring-unit" x="100" y="168" text-anchor="middle">\(context.localized("stress"))</text>
    </svg>\(BuddyPicture.html)</div>
    <div class="ring-words">
    <p class="category"><span class="category-icons">\(CategoryMarks.icons)</span><span id="category-word">\
    \(categoryWord)</span></p>
    \(insight)
    <p>\(BuddyPicture.text(report?.mood, context))</p>
    \(certainty)
    </div></div>
    """
  }

  /// The day beside other days, as a sentence.
  private var insight: HTML? {
    report?.insight.map { "<p class=\"judgement\">\(context.sentence($0))</p>" }
  }

  private func arc(_ name: String) -> HTML {
    """
    <circle class="\(name)" cx="100" cy="100" r="94" pathLength="100" stroke-dasharray="\(length) 100"/>
    """
  }

  private var length: String { (report?.stress ?? 0).fixed(1) }
  /// The range of the next minute, if there is a stress value.
  private var range: ClosedRange<Double>? { report?.stress == nil ? nil : report?.measurement.range }
  private var low: String { (range?.lowerBound ?? 0).fixed(1) }
  private var rangeLength: String { (range.map { $0.upperBound - $0.lowerBound } ?? 0).fixed(1) }
  private var number: String { report?.stress.map { $0.fixed(0) } ?? "-" }

  private var categoryWord: String { report?.categoryWord(context) ?? context.localized("No stress value") }

  /// The range of the next minute, and the confidence in words, if there is a stress value.
  private var certainty: HTML? {
    guard let report, report.stress != nil else { return nil }
    let range = report.measurement.range.map { range -> HTML in
      let (low, high) = (range.lowerBound.fixed(0), range.upperBound.fixed(0))
      return "<p class=\"quiet\">\(context.localized("Usually \(low) to \(high) in this state"))</p>"
    }
    return """
      \(range)
      <details class="reasons"><summary>\(confidence(report.confidence))</summary>
      <p class="small quiet">\(context.localized("Each reason multiplies the confidence. Without a reason it is 100 %."))</p>
      <ul id="reasons">\(reasons(report))</ul></details>
      """
  }

  private func confidence(_ value: Double) -> String {
    let percent = (value * 100).fixed(0)
    return switch ConfidenceLevel(value) {
    case .high: context.localized("High confidence: \(percent) %")
    case .medium: context.localized("Medium confidence: \(percent) %")
    case .low: context.localized("Low confidence: \(percent) %")
    }
  }

  private var label: String {
    guard let stress = report?.stress else { return context.localized("No stress value") }
    return context.localized("Stress \(stress.fixed(0)) out of 100, \(categoryWord)")
  }

  private func reasons(_ report: StatusReport) -> [HTML] {
    report.measurement.factors.doubts.map { doubt in
      "<li>\(context.localized(Phrase(known: doubt.factor.reason))) (\(context.percent(doubt.value)))</li>"
    }
  }
}

extension StatusReport {
  /// The name of the category, or why no stress value is stated.
  func categoryWord(_ context: PageContext) -> String {
    if let category { return CategoryMarks.word(category, context) }
    return measurement.suspension.map { context.localized($0.word) } ?? context.localized("No stress value")
  }
}
