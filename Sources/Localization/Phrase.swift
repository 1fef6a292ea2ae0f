/// A text for people, before anybody knows in which language: `Phrase("Cycle \(3) of \(4)")`.
///
/// It stands in the catalogues with numbered places for its values, `Cycle {1} of {2}`, so that a translation may put them
/// in another order. A test reads the texts of all phrases from the sources, which is why they are literals.
package struct Phrase: Equatable, Sendable {
  let key: String
  let plural: Plural?
  let values: [String]

  struct Plural: Equatable, Sendable {
    let key: String
    let count: Int
  }

  package init(_ text: Template) { (key, plural, values) = (text.key, nil, text.values) }

  /// `one` and `many` hold the same values, also where `one` could do without: other languages say "0 beat" as well.
  package init(_ one: Template, _ many: Template, count: Int) {
    (key, values) = (one.key, many.values)
    plural = Plural(key: many.key, count: count)
  }

  /// A text of a module that knows nothing of languages. Where the catalogues have it, it is translated.
  package init(known text: String) { (key, plural, values) = (text, nil, []) }

  /// What a phrase is written as: a literal, whose interpolated values are its places.
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

  /// `text`, a translation of this phrase, with the values in their places. A place that has no value is empty.
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
