import Platform

/// HTML text. String interpolation escapes values, because names and notes of users must not add elements; only other HTML is
/// inserted unchanged:
///
///     let row: HTML = "<li>\(strap.name) <b>\(battery)</b> %</li>"
struct HTML: ExpressibleByStringInterpolation, Equatable, Sendable {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    /// Inserts nothing without a value.
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
    /// Inserts ` name="value"`, or nothing without a value.
    mutating func appendInterpolation(attribute name: StaticString, _ value: String?) {
      guard let value else { return }
      text += " \(name)=\"\(HTML.escaped(value))\""
    }
    /// Inserts ` name` if `isSet`, as for `checked`, `disabled` and `hidden`.
    mutating func appendInterpolation(attribute name: StaticString, if isSet: Bool) {
      if isSet { text += " \(name)" }
    }
  }

  static func + (a: HTML, b: HTML) -> HTML { "\(a)\(b)" }

  /// Text for elements and quoted attributes. Unprintable characters other than tabs and line feeds are shown as U+FFFD, because
  /// some of them reorder the line.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.isUnprintable: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension HTML {
  /// HTML that another module generated from numbers and escaped text, such as a figure of `Plot`.
  init(trusted text: String) { self.text = text }
}

extension Sequence where Element == HTML {
  func joined(separator: HTML = "") -> HTML {
    var result: HTML = ""
    for (index, part) in enumerated() { result = index == 0 ? part : "\(result)\(separator)\(part)" }
    return result
  }
}
