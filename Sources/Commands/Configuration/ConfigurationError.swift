import Localization
import Terminal

/// The reason why the configuration cannot be used, with its place and the remedy.
struct ConfigurationError: Error, CustomStringConvertible {
  let message: Phrase

  /// The message in English.
  var description: String { Language.english.text(message) }

  static func unreadable(_ path: String, _ reason: String) -> Self {
    Self(message: Phrase("cannot read the configuration \(path): \(reason)"))
  }

  static func unwritable(_ path: String, _ reason: String) -> Self {
    Self(message: Phrase("cannot write the configuration \(path): \(reason)"))
  }

  static func tooLarge(_ path: String, mebibytes limit: Int) -> Self {
    Self(message: Phrase("cannot read the configuration \(path): it is larger than \(limit) MiB"))
  }

  static func notText(_ path: String) -> Self {
    Self(message: Phrase("cannot read the configuration \(path): it is not UTF-8 text"))
  }

  static func syntax(_ path: String, line: Int, column: Int, _ reason: String) -> Self {
    Self(
      message: Phrase(
        "\(path), line \(line), column \(column): \(reason)\nCorrect this line, or move the file to another place."
      ))
  }

  static func unknownKey(_ key: String, in place: String) -> Self {
    let known = Configuration.Key.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(message: Phrase("unknown setting '\(key)' (\(place)); the settings are: \(known)"))
  }

  /// The warning of a key in the file that no setting has.
  static func ignoredKey(_ key: String, in path: String) -> Phrase {
    let names = Configuration.Key.allCases.map(\.rawValue)
    let (name, list) = (key.printable, names.joined(separator: ", "))
    return NearestName.of(key, among: names).map {
      Phrase("the unknown setting '\(name)' in \(path) is ignored. Did you mean: \($0)")
    } ?? Phrase("the unknown setting '\(name)' in \(path) is ignored; the settings are: \(list)")
  }

  static func badValue(_ key: Configuration.Key, _ value: String, in place: String) -> Self {
    let example = "stressmon config set \(key.rawValue) \(key.example)"
    return Self(
      message: Phrase(
        "'\(value)' is not valid for \(key.rawValue) (\(place)); expected \(key.validValues).\nExample: \(example)"
      ))
  }
}
