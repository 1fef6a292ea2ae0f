/// A text for people, independent of the language: `Phrase("Cycle \(3) of \(4)")`.
///
/// Its key in the message catalogues has numbered placeholders, `Cycle {1} of {2}`, which a translation can reorder. A value
/// can itself be a phrase, or a list of phrases. A test collects the keys from the sources, so each key is a string literal.
package struct Phrase: Equatable, Sendable {
  let key: String
  let plural: Plural?
  let values: [Value]

  struct Plural: Equatable, Sendable {
    let key: String
    let count: Int
  }

  /// The value of a placeholder.
  enum Value: Equatable, Sendable {
    case text(String)
    case phrases([Phrase], separator: String)
  }

  package init(_ text: Template) { (key, plural, values) = (text.key, nil, text.values) }

  /// A phrase with a count. `one` and `many` have the same placeholders, because other languages also use the singular for
  /// counts other than 1.
  package init(_ one: Template, _ many: Template, count: Int) {
    (key, values) = (one.key, many.values)
    plural = Plural(key: many.key, count: count)
  }

  /// A text of a module that does not import Localization. It is translated if the catalogue contains it.
  package init(known text: String) { (key, plural, values) = (text, nil, []) }

  /// A text that is the same in every language, such as a message of the operating system.
  package init(untranslated text: String) { (key, plural, values) = ("{1}", nil, [.text(text)]) }

  /// The message of an error. Errors without a translatable message are described in English.
  package init(describing error: any Error) {
    self = (error as? any Translatable)?.message ?? Phrase(untranslated: String(describing: error))
  }

  /// Phrases joined by `separator`.
  package init(joining phrases: [Phrase], separator: String = "") {
    (key, plural, values) = ("{1}", nil, [.phrases(phrases, separator: separator)])
  }

  /// The literal of a phrase; its interpolated values are the placeholders.
  package struct Template: ExpressibleByStringInterpolation, Sendable {
    let key: String
    let values: [Value]

    package init(stringLiteral value: String) { (key, values) = (value, []) }

    package init(stringInterpolation parts: StringInterpolation) {
      (key, values) = (parts.key, parts.values)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var key = ""
      fileprivate var values: [Value] = []

      package init(literalCapacity: Int, interpolationCount: Int) {
        key.reserveCapacity(literalCapacity + 3 * interpolationCount)
        values.reserveCapacity(interpolationCount)
      }

      package mutating func appendLiteral(_ literal: String) { key += literal }

      package mutating func appendInterpolation(_ value: String) { append(.text(value)) }

      package mutating func appendInterpolation(_ value: some BinaryInteger) {
        append(.text(String(value)))
      }

      /// Appends a phrase, which is translated together with the text around it.
      package mutating func appendInterpolation(_ phrase: Phrase) {
        append(.phrases([phrase], separator: ""))
      }

      /// Appends phrases joined by `separator`.
      package mutating func appendInterpolation(_ phrases: [Phrase], separator: String) {
        append(.phrases(phrases, separator: separator))
      }

      private mutating func append(_ value: Value) {
        values.append(value)
        key += "{\(values.count)}"
      }
    }
  }

  /// `text`, a translation of this phrase, with the values in place of the placeholders. A placeholder without a value is
  /// empty.
  /// - Parameters:
  ///   - number: Writes a number, or several with their units, with the decimal sign of a language, if it is not a point. It is
  ///     not called for values in quotation marks, which repeat what was typed.
  ///   - translate: Translates a phrase that is a value of this one.
  func filled(_ text: String, number: ((String) -> String)?, _ translate: (Phrase) -> String) -> String {
    guard !values.isEmpty else { return text }
    var filled = ""
    // Bytes, because breaking a text into characters takes a fifth of the time in which a command starts. Appending a Substring
    // calls generic code, whose first call searches all conformances of the program.
    var rest = text.utf8[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      filled += String(Substring(rest[..<open]))
      if let place = Int(Substring(rest[rest.index(after: open)..<close])), values.indices.contains(place - 1)
      {
        let value = values[place - 1].text(translate)
        if let number, value.isNumeric, !"'\"„«“".contains(filled.last ?? " ") {
          filled += number(value)
        } else {
          filled += value
        }
      }
      rest = rest[rest.index(after: close)...]
    }
    return filled + String(Substring(rest))
  }
}

extension String {
  /// Whether the text is a number with a fraction, a range of numbers, or either with a unit: `4.5`, `-2.0`, `2.5-3.5 ms`.
  fileprivate var isNumeric: Bool {
    guard utf8.contains(UInt8(ascii: ".")) else { return false }
    let words = split(separator: " ")
    return words.count <= 2 && words[0].isRange
      && words.dropFirst().allSatisfy { $0.utf8.allSatisfy { !Self.digits.contains($0) && $0 != 46 } }
  }

  fileprivate static let digits: ClosedRange<UInt8> = 48...57
}

extension Substring {
  /// Whether the word is one or two numbers of at most one decimal point, joined by a hyphen.
  fileprivate var isRange: Bool {
    let numbers = drop { $0 == "-" || $0 == "+" }.split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count <= 2
      && numbers.allSatisfy { number in
        number.first?.isASCII ?? false && number.utf8.allSatisfy { String.digits.contains($0) || $0 == 46 }
          && number.utf8.count { $0 == 46 } <= 1
      }
  }
}

extension Phrase.Value {
  fileprivate func text(_ translate: (Phrase) -> String) -> String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases, let separator): phrases.map(translate).joined(separator: separator)
    }
  }
}

/// A count with its noun in English: `1 beat`, `2 beats`.
/// - Parameter many: the plural. The default is `one` with an s.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}

/// A value with a text for people, such as an error: ``message`` in any language, and the description in English, which is
/// stored and compared.
///
/// ```swift
/// struct FullDisk: Error, Translatable {
///   let path: String
///   var message: Phrase { Phrase("no space left for \(path)") }
///   var description: String { Language.english.text(message) }
/// }
/// ```
package protocol Translatable: CustomStringConvertible {
  var message: Phrase { get }
}

extension Phrase.Template.StringInterpolation {
  /// Appends the message of `value`, which is translated together with the text around it.
  package mutating func appendInterpolation(_ value: some Translatable) { appendInterpolation(value.message) }
}
