import HeartRate
import LiveSession
import Localization
import Platform
import Reports
import Stress

extension PageContext {
  /// A point in time for reading, with its machine-readable form: `21 Nov 2026 07:30`, or `21 Nov 2026 07:30:00`.
  func time(_ time: WallTime, seconds: Bool = false) -> HTML {
    "<time datetime=\"\(time.rfc3339)\">\(text(time, seconds: seconds))</time>"
  }

  /// The same as text without markup.
  func text(_ time: WallTime, seconds: Bool = false) -> String {
    language.date(String(LocalZone.text(time).prefix(seconds ? 19 : 16)))
  }

  /// The time of day: `07:30:00`.
  func clock(_ time: WallTime) -> HTML {
    "<time datetime=\"\(time.rfc3339)\">\(String(LocalCalendar.system.clockText(time)))</time>"
  }

  /// The time of day without seconds: `07:30`.
  func minutes(_ time: WallTime) -> HTML {
    "<time class=\"number\" datetime=\"\(time.rfc3339)\">\(String(LocalCalendar.system.clockText(time).prefix(5)))</time>"
  }

  /// A stress value with icon, number, range and the word of its category. An irregular rhythm has no category.
  func stress(_ value: Double, _ range: ClosedRange<Double>?, _ category: StressCategory?) -> HTML {
    guard let category else {
      return """
        <span class="category unknown">\(StressValueText.text(value, range)) \(localized("irregular rhythm"))</span>
        """
    }
    return """
      <span class="category \(category.rawValue)">\(Icon.category(category)) \(StressValueText.text(value, range)) \
      \(language.word(category))</span>
      """
  }

  /// A value with its unit and the decimal sign of the language; a dash without a value.
  func value(_ value: Double?, _ decimals: Int, _ unit: String = "") -> String {
    value.map { language.number($0.fixed(decimals)) + (unit.isEmpty ? "" : " \(unit)") } ?? "-"
  }

  /// A phrase as a sentence: `A usual day so far (25, usually 22).`
  func sentence(_ phrase: Phrase) -> String {
    capitalized(phrase) + "."
  }

  /// A phrase with a capital letter.
  func capitalized(_ phrase: Phrase) -> String { capitalized(localized(phrase)) }

  func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// A length of time: `40 s`, `77 min`, `6 h 40 min`.
  func length(_ seconds: Double) -> String { localized(Phrase.length(seconds)) }

  /// A fraction in whole percent: `92 %`.
  func percent(_ fraction: Double) -> String { "\((fraction * 100).fixed(0)) %" }

  /// A button that is a link.
  func button(_ path: String, _ text: String, _ style: String = "") -> HTML {
    "<a class=\"button\(style.isEmpty ? "" : " \(style)")\" href=\"\(self.path(path))\">\(text)</a>"
  }
}

/// A list of names with values.
struct FactList: Sendable {
  private var items: [HTML] = []

  mutating func add(_ name: String, _ value: HTML) {
    items.append("<div><dt>\(name)</dt><dd>\(value)</dd></div>")
  }
  mutating func add(_ name: String, _ value: String) { add(name, "\(value)" as HTML) }

  var html: HTML { "<dl class=\"values\">\(items)</dl>" }
}
