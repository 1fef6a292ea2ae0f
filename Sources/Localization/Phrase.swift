/// A translatable text: `Phrase("Cycle \(3) of \(4)")`.
///
/// The catalogues contain it with numbered placeholders, `Cycle {1} of {2}`, so that a translation can reorder them. Phrases
/// are literals, because a test extracts them from the sources.
package struct Phrase: Equatable, Sendable {
  let key: String
  let plural: Plural?
  let values: [String]

  struct Plural: Equatable, Sendable {
    let key: String
    let count: Int
  }

  package init(_ text: Template) { (key, plural, values) = (text.key, nil, text.values) }

  /// `one` and `many` contain the same values, because other languages use the singular form also for 0 or 21.
  package init(_ one: Template, _ many: Template, count: Int) {
    (key, values) = (one.key, many.values)
    plural = Plural(key: many.key, count: count)
  }

  /// A text of a module without localization. It is translated if the catalogues contain it.
  package init(known text: String) { (key, plural, values) = (text, nil, []) }

  /// The literal of a phrase, with interpolated values as placeholders.
  package struct Template: ExpressibleByStringInterpolation, Sendable {
    let key: String
    let values: [String]

    package init(stringLiteral value: String) { (key, values) = (value, []) }

    package init(stringInterpolation parts: StringInterpolation) {
      (key, values) = (parts.key, parts.values)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var key = ""
      fileprivate var values: [String] = []

      package init(literalCapacity: Int, interpolationCount: Int) {
        key.reserveCapacity(literalCapacity + 3 * interpolationCount)
        values.reserveCapacity(interpolationCount)
      }

      package mutating func appendLiteral(_ literal: String) { key += literal }

      package mutating func appendInterpolation(_ value: String) {
        values.append(value)
        key += "{\(values.count)}"
      }

      package mutating func appendInterpolation(_ value: some BinaryInteger) {
        appendInterpolation(String(value))
      }
    }
  }

  /// Replaces the placeholders in `text`, a translation of this phrase, by the values. A placeholder without a value is
  /// replaced by nothing.
  func filled(_ text: String) -> String {
    guard !values.isEmpty else { return text }
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      if let place = Int(rest[rest.index(after: open)..<close]), values.indices.contains(place - 1) {
        filled += values[place - 1]
      }
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }
}
