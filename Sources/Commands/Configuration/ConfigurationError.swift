/// Why the configuration cannot be used; says where, and what to type.
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
        "\(path), line \(line), column \(column): \(reason)\nMend that line, or move the file away.")
  }

  static func unknownKey(_ key: String, in place: String) -> Self {
    let known = Configuration.Key.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(description: "there is no setting '\(key)' (\(place)); the settings are: \(known)")
  }

  static func badValue(_ key: Configuration.Key, _ value: String, in place: String) -> Self {
    Self(
      description: """
        '\(value)' is no value for \(key.rawValue) (\(place)); it takes \(key.accepts).
        Example: stressmon config set \(key.rawValue) \(key.example)
        """)
  }
}
