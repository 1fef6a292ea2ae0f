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
