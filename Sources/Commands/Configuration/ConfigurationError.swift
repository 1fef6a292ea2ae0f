/// The reason why the configuration cannot be used, with its place and the remedy.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String

  static func unreadable(_ path: String, _ reason: String) -> Self {
    Self(description: "cannot read the configuration \(path): \(reason)")
  }

  static func unwritable(_ path: String, _ reason: String) -> Self {
    Self(description: "cannot write the configuration \(path): \(reason)")
  }

  static func syntax(_ path: String, line: Int, column: Int, _ reason: String) -> Self {
    Self(
      description:
        "\(path), line \(line), column \(column): \(reason)\nFix that line, or move the file away.")
  }

  static func unknownKey(_ key: String, in place: String) -> Self {
    let known = Configuration.Key.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(description: "unknown setting '\(key)' (\(place)); the settings are: \(known)")
  }

  static func badValue(_ key: Configuration.Key, _ value: String, in place: String) -> Self {
    Self(
      description: """
        '\(value)' is not valid for \(key.rawValue) (\(place)); expected \(key.validValues).
        Example: stressmon config set \(key.rawValue) \(key.example)
        """)
  }
}
