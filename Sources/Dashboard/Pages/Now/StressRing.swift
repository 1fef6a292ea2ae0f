import Design
import LiveSession
import Localization
import Reports
import Stress

/// The ring: the stress value as an arc with the hue and the pattern of its category, and the range of the next minute as a
/// thin arc inside.
struct StressRing: Sendable {
  let report: StatusReport?
  let context: PageContext

  private var category: StressCategory? { report?.category }

  var html: HTML {
    """
    <div class="ring" id="ring" data-live data-key="\(category?.rawValue ?? "")"\(attribute: "data-announce", category == nil ? nil : label)>
    <svg viewBox="0 0 200 200" role="img" aria-label="\(label)" id="ring-picture">
    \(CategoryMarks.patterns)
    <circle class="ring-track" cx="100" cy="100" r="94"/>
    <g transform="rotate(-90 100 100)">
    \(arc("ring-line"))
    \(arc("ring-hue"))
    \(arc("ring-pattern"))
    <circle class="ring-range" cx="100" cy="100" r="82" pathLength="100"\
     stroke-dasharray="\(rangeLength) 100" stroke-dashoffset="-\(low)"/>
    </g>
    <text class="ring-number" x="100" y="118" text-anchor="middle">\(number)</text>
    <text class="ring-unit" x="100" y="142" text-anchor="middle">\(context.localized("stress"))</text>
    </svg>
    <p class="category"><span class="category-icons">\(CategoryMarks.icons)</span><span id="category-word">\
    \(categoryWord)</span></p>
    <p class="quiet" id="range">\(range)</p>
    <p id="confidence">\(confidence)</p>
    \(reasons)
    </div>
    """
  }

  private func arc(_ name: String) -> HTML {
    """
    <circle class="\(name)" cx="100" cy="100" r="94" pathLength="100" stroke-dasharray="\(length) 100"/>
    """
  }

  private var length: String { (report?.stress ?? 0).fixed(1) }
  private var low: String { (report?.measurement.range?.lowerBound ?? 0).fixed(1) }
  private var rangeLength: String {
    (report?.measurement.range.map { $0.upperBound - $0.lowerBound } ?? 0).fixed(1)
  }
  private var number: String { report?.stress.map { $0.fixed(0) } ?? "-" }

  private var categoryWord: String { report?.categoryWord(context) ?? context.localized("No stress value") }

  private var range: String {
    guard let range = report?.measurement.range, report?.stress != nil else { return "\u{A0}" }
    return context.localized(
      "Usually \(range.lowerBound.fixed(0)) to \(range.upperBound.fixed(0)) in this state")
  }

  private var confidence: String {
    guard let report, report.stress != nil else { return "\u{A0}" }
    return context.localized("Confidence \((report.confidence * 100).fixed(0)) %")
  }

  private var label: String {
    guard let stress = report?.stress else { return context.localized("No stress value") }
    return context.localized("Stress \(stress.fixed(0)) out of 100, \(categoryWord)")
  }

  private var reasons: HTML {
    let items = (report?.measurement.factors.doubts ?? []).map { doubt -> HTML in
      "<li>\(context.localized(Phrase(known: doubt.factor.reason))) (\(doubt.value.fixed(2)))</li>"
    }
    return """
      <details class="reasons"><summary>\(context.localized("Why this confidence?"))</summary>
      <p class="small quiet">\(context.localized("Each reason multiplies the confidence. Without a reason it is 100 %."))</p>
      <ul id="reasons">\(items)</ul></details>
      """
  }
}

extension StatusReport {
  /// The name of the category, or why no stress value is stated.
  func categoryWord(_ context: PageContext) -> String {
    if let category { return CategoryMarks.word(category, context) }
    return measurement.suspension.map { context.localized($0.word) } ?? context.localized("No stress value")
  }
}
