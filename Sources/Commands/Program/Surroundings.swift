import Glibc

/// What the program was started with.
struct Surroundings: Sendable {
  let environment: [String: String]

  static let current = Surroundings(environment: readEnvironment())

  /// The value of a variable; an empty one counts as absent.
  subscript(variable: String) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func readEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let pair = entry.pointee {
      let parts = String(cString: pair).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}
