import Glibc
import Localization
import Platform
import Stress
import TOMLKit
import Terminal

/// The settings of `config.toml`.
struct Configuration: Sendable {
  /// `$XDG_CONFIG_HOME/stressmon/config.toml`, by default under `~/.config`.
  let path: String
  private var values: [Key: String] = [:]

  /// Reads the file. A missing file has no settings. An unknown setting, such as one of a newer version, is ignored.
  /// - Parameter warn: receives a warning for each unknown setting.
  /// - Throws: ``ConfigurationError`` with the path if the file cannot be read, has a syntax error or an invalid value.
  init(
    environment: ProcessEnvironment, warn: (Phrase) -> Void = Self.printOnce
  ) throws(ConfigurationError) {
    path = Self.path(environment)
    guard let text = try TextFile.read(path) else { return }
    values = try Self.values(in: text, path, warn)
  }

  private static let printed = Locked<[Phrase]>([])

  /// Prints a warning, at most once per process.
  private static func printOnce(_ warning: Phrase) {
    let isNew = printed.withLock { printed in
      defer { printed.append(warning) }
      return !printed.contains(warning)
    }
    if isNew { printDiagnostic("stressmon: " + ProcessEnvironment.current.text(warning)) }
  }

  /// The value of a setting as written in the file, if it is set.
  subscript(key: Key) -> String? { values[key] }

  /// Writes one setting, and keeps every other line of the file. Replaces the file atomically.
  /// - Parameter check: throws if the changed settings conflict; the file is then not written.
  mutating func set(_ key: Key, to value: String, check: (Configuration) throws -> Void = { _ in }) throws {
    guard key.isValid(value) else { throw ConfigurationError.badValue(key, value, in: "config set") }
    let setting = "\(key.rawValue) = \(Self.quoted(value))"
    try rewrite(check: check) { lines in
      if let place = lines.firstIndex(where: { Self.key(ofLine: $0) == key.rawValue }) {
        lines[place] = setting + Self.comment(ofLine: lines[place])
      } else {
        lines.append(setting)
      }
    }
  }

  /// Removes one setting, and keeps every other line of the file. Does nothing if the file does not contain it.
  /// - Parameter check: as of ``set(_:to:check:)``.
  mutating func remove(_ key: Key, check: (Configuration) throws -> Void = { _ in }) throws {
    guard values[key] != nil else { return }
    try rewrite(check: check) { lines in lines.removeAll { Self.key(ofLine: $0) == key.rawValue } }
  }

  /// Replaces the file atomically, unless the changed text is invalid or `check` throws.
  private mutating func rewrite(
    check: (Configuration) throws -> Void, _ change: (inout [String]) -> Void
  ) throws {
    var lines = (try TextFile.read(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    if lines.last == "" { lines.removeLast() }
    change(&lines)
    let text = lines.map { $0 + "\n" }.joined()
    values = try Self.values(in: text, path) { _ in }
    try check(self)
    try TextFile.replace(path, with: text)
  }

  /// Where the value of a setting comes from.
  enum Origin: String {
    case file
    case environment
    case standard = "default"

    /// The origin in `config show`.
    var word: Phrase {
      switch self {
      case .file: Phrase("file")
      case .environment: Phrase("environment")
      case .standard: Phrase("default")
      }
    }
  }

  /// The value that is in force without options on the command line, and its origin, if there is one.
  func effective(_ key: Key, _ environment: ProcessEnvironment) -> (value: String, origin: Origin)? {
    if key == .database, let path = environment["STRESSMON_DB"] { return (path, .environment) }
    return values[key].map { ($0, .file) } ?? key.standard(environment).map { ($0, .standard) }
  }

  /// XDG Base Directory Specification 0.8: a relative XDG_CONFIG_HOME is ignored.
  static func path(_ environment: ProcessEnvironment) -> String {
    let chosen = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (chosen ?? (environment["HOME"] ?? ".") + "/.config") + "/stressmon/config.toml"
  }

  private static func values(
    in text: String, _ path: String, _ warn: (Phrase) -> Void
  ) throws(ConfigurationError) -> [Key: String] {
    var values: [Key: String] = [:]
    for (name, value) in try parse(text, path) {
      guard let key = Key(rawValue: name) else {
        warn(ConfigurationError.ignoredKey(name, in: path))
        continue
      }
      let written = value.string ?? value.int.map(String.init) ?? value.double.map { "\($0)" }
      guard let written, key.isValid(written) else {
        throw .badValue(key, written ?? value.debugDescription, in: path)
      }
      values[key] = written
    }
    return values
  }

  private static func parse(_ text: String, _ path: String) throws(ConfigurationError) -> TOMLTable {
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw .syntax(path, line: error.source.begin.line, column: error.source.begin.column, error.description)
    } catch {
      throw .unreadable(path, String(describing: error))
    }
  }

  /// The key that a line of the file sets, if the line contains a setting.
  private static func key(ofLine line: String) -> String? {
    let parts = line.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return parts[0].split(whereSeparator: \.isWhitespace).first.map { $0.filter { $0 != "\"" && $0 != "'" } }
  }

  /// The comment at the end of a line that sets a key, with the space before it.
  private static func comment(ofLine line: String) -> String {
    var quote: Character?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if quote == nil, character == "#" {
        return String(line[..<index].reversed().prefix(while: \.isWhitespace)) + line[index...]
      }
      if quote == nil, character == "\"" || character == "'" {
        quote = character
      } else if character == quote, !isEscaped {
        quote = nil
      }
      isEscaped = quote == "\"" && character == "\\" && !isEscaped
    }
    return ""
  }

  /// A TOML basic string.
  private static func quoted(_ value: String) -> String {
    let escaped = value.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}

extension Configuration {
  static let usualStoreInterval = Duration.seconds(10)

  /// Session time between stored measurements.
  var storeInterval: Duration {
    self[.storeEvery].flatMap(DurationArgument.init(argument:))?.duration ?? Self.usualStoreInterval
  }
}

extension Configuration {
  /// The setting `hrv`; RMSSD if it is not set.
  var hrvMetric: HRVMetric { self[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd }
}
