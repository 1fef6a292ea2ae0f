import ArgumentParser
import Localization
import Platform

extension ValidationError {
  /// A usage error in the language and the character set of the environment.
  init(_ message: Phrase) { self.init(ProcessEnvironment.current.text(message)) }

  /// Two options that exclude each other.
  static func exclusive(_ a: String, _ b: String) -> Self {
    Self(Phrase("\(a) and \(b) exclude each other: leave out one of them."))
  }

  /// An option without the option that it requires.
  static func requires(_ option: String, _ required: String, example: String) -> Self {
    Self(Phrase("\(option) requires \(required). Example: \(example)"))
  }

  /// An option without one of the two options that it requires.
  static func requires(_ option: String, _ a: String, or b: String, example: String) -> Self {
    Self(Phrase("\(option) requires \(a) or \(b). Example: \(example)"))
  }

  /// An argument outside of its range.
  static func outOfRange(_ argument: String, _ range: Phrase, example: String) -> Self {
    Self(Phrase("'\(argument)' is out of range: expected \(range). Example: \(example)"))
  }

  /// A number below its minimum.
  static func outOfRange(_ argument: String, atLeast minimum: String, example: String) -> Self {
    outOfRange(argument, Phrase("\(minimum) or more"), example: example)
  }

  /// A number outside of a closed range.
  static func outOfRange(_ argument: String, _ low: String, to high: String, example: String) -> Self {
    outOfRange(argument, Phrase("\(low) to \(high)"), example: example)
  }
}
