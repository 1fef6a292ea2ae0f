import Localization
import Terminal

extension TerminalStyle {
  /// The style for SVG, HTML and Markdown files, which are UTF-8 in every locale.
  var forDocuments: TerminalStyle { TerminalStyle(colours: .none, unicode: true, language: language) }

  /// A date or the label of a chart with its weekday or month in ``language``: `Mon 2026-11-16`, `Nov`.
  func date(_ text: String) -> String {
    let name = String(text.prefix(while: \.isLetter))
    guard let phrase = Self.dateNames[name] else { return text }
    return localized(phrase) + text.dropFirst(name.count)
  }

  /// The abbreviations of `TrendPeriod` and `LocalCalendar`.
  private static let dateNames: [String: Phrase] = [
    "Mon": Phrase("Mon"), "Tue": Phrase("Tue"), "Wed": Phrase("Wed"), "Thu": Phrase("Thu"),
    "Fri": Phrase("Fri"),
    "Sat": Phrase("Sat"), "Sun": Phrase("Sun"),
    "Jan": Phrase("Jan"), "Feb": Phrase("Feb"), "Mar": Phrase("Mar"), "Apr": Phrase("Apr"),
    "May": Phrase("May"),
    "Jun": Phrase("Jun"), "Jul": Phrase("Jul"), "Aug": Phrase("Aug"), "Sep": Phrase("Sep"),
    "Oct": Phrase("Oct"),
    "Nov": Phrase("Nov"), "Dec": Phrase("Dec"),
  ]
}
