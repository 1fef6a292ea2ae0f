import FoundationEssentials

/// The phrases of the sources: the literals in `Phrase("...")` and `localized("...")`.
struct SourcePhrases {
  struct Found: Hashable {
    /// With numbered placeholders, as in the catalogues.
    var key: String
    var pluralKey: String?
  }

  /// In the order of their files, with the files that contain each.
  private(set) var found: [(phrase: Found, files: [String])] = []
  /// Literals in such a call that are not its first argument, as in `localized(a ? "b" : "c")`; no catalogue would contain
  /// them.
  private(set) var hidden: [String] = []
  /// The place of each phrase in ``found``.
  private var places: [Found: Int] = [:]

  /// - Parameter root: The folder of the package.
  init(root: String) throws {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: root + "/Sources").sorted()
    for path in sources where path.hasSuffix(".swift") && !path.hasPrefix("Localization/") {
      let text = try String(contentsOfFile: "\(root)/Sources/\(path)", encoding: .utf8)
      read(text, in: "Sources/" + path)
    }
  }

  init(_ text: String) { read(text, in: "") }

  private mutating func read(_ text: String, in file: String) {
    for opening in ["localized(", "Phrase("] {
      var rest = text[...]
      while let call = rest.firstRange(of: opening) {
        let before = text[..<call.lowerBound].last
        rest = rest[call.upperBound...]
        guard !(before?.isLetter ?? false) else { continue }
        var scanner = Scanner(rest: rest)
        let literals = scanner.literals()
        if scanner.isLiteralHidden { hidden.append("\(file): \(opening)\(rest.prefix(60))") }
        guard let key = literals.first else { continue }
        add(Found(key: key, pluralKey: literals.count > 1 ? literals[1] : nil), file)
      }
    }
  }

  private mutating func add(_ phrase: Found, _ file: String) {
    guard let place = places[phrase] else {
      places[phrase] = found.count
      return found.append((phrase, [file]))
    }
    if !found[place].files.contains(file) { found[place].files.append(file) }
  }
}

/// Parses the arguments of a call, starting after its opening parenthesis.
private struct Scanner {
  var rest: Substring
  /// Whether the call contains a string that is not an argument itself.
  var isLiteralHidden = false

  /// The string literals at the start of the call.
  mutating func literals() -> [String] {
    var literals: [String] = []
    skipSpace()
    while rest.first == "\"" {
      literals.append(literal())
      skipSpace()
      guard rest.first == "," else { break }
      rest.removeFirst()
      skipSpace()
    }
    isLiteralHidden = hasLiteralBeforeEnd()
    return literals
  }

  private func hasLiteralBeforeEnd() -> Bool {
    var copy = self
    return copy.skipToEnd()
  }

  /// Skips to the closing parenthesis. Returns whether a literal precedes it.
  private mutating func skipToEnd() -> Bool {
    var depth = 1
    var sawLiteral = false
    while let next = rest.first {
      if next == "\"" {
        _ = literal()
        sawLiteral = true
        continue
      }
      rest.removeFirst()
      if next == "(" { depth += 1 }
      if next == ")" { depth -= 1 }
      if depth == 0 { break }
    }
    return sawLiteral
  }

  private mutating func skipSpace() { rest = rest.drop(while: \.isWhitespace) }

  /// A single-line or multi-line literal with interpolated values as `{1}`, `{2}`.
  private mutating func literal() -> String {
    let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    rest = rest.dropFirst(quotes.count)
    if quotes.count == 3 { rest = rest.dropFirst() }
    var key = ""
    var values = 0
    while !rest.hasPrefix(quotes), let next = rest.popFirst() {
      guard next == "\\", let escaped = rest.popFirst() else {
        key.append(next)
        continue
      }
      switch escaped {
      case "(":
        _ = skipToEnd()
        values += 1
        key += "{\(values)}"
      case "\n": key += Self.joint
      case "n": key += "\n"
      default: key.append(escaped)
      }
    }
    rest = rest.dropFirst(quotes.count)
    return quotes.count == 3 ? Self.unindented(key) : key
  }

  /// Removes line continuations.
  private static let joint = "\u{0}"

  /// The lines without the indentation of the closing quotes.
  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indentation = lines.last.map(String.init) ?? ""
    let body = lines.dropLast().map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }
    return body.joined(separator: "\n").replacing(joint + indentation, with: "")
  }
}
