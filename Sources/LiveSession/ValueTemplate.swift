package import Localization

/// A text with the names of values in braces, such as `{hr} bpm`.
///
/// ```swift
/// let template = try ValueTemplate("♥ {hr} bpm, stress {stress}")
/// print(template.text(of: values))  // ♥ 62 bpm, stress 14
/// ```
///
/// `{{` and `}}` are braces. A value without data is `-`.
package struct ValueTemplate: Equatable, Sendable {
  private enum Part: Equatable {
    case text(String)
    case value(ValueName)
  }

  private var parts: [Part] = []

  /// Why a template is not valid.
  package enum Invalid: Error, Equatable, Translatable {
    case unknownValue(String)
    case unbalancedBrace

    /// The message in English.
    package var description: String { Language.english.text(message) }

    package var message: Phrase {
      switch self {
      case .unknownValue(let name):
        Phrase("'\("{" + name + "}")' is not a value; the values are: \(ValueName.list)")
      case .unbalancedBrace: Phrase("a brace is not closed or not opened; write \("{{") for a brace")
      }
    }
  }

  package init(_ text: String) throws(Invalid) {
    var rest = text[...]
    var literal = ""
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        literal.append(character)
        continue
      }
      if rest.first == character {
        literal.append(rest.removeFirst())
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}") else { throw .unbalancedBrace }
      let name = String(rest[..<end])
      guard let value = ValueName(rawValue: name) else { throw .unknownValue(name) }
      parts += [.text(literal), .value(value)]
      (literal, rest) = ("", rest[rest.index(after: end)...])
    }
    parts.append(.text(literal))
  }

  package func text(of values: LiveValues) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): values.text(name) ?? "-"
      }
    }.joined()
  }
}
