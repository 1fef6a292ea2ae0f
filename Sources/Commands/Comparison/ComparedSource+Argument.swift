import HeartRate
import Localization
import Platform
import Reports

extension ComparedSource {
  /// Parses `FILE`, `ID` or `session:ID`, each with an optional `@FROM-TO`, `@before`, `@during` or `@after`, or
  /// `TIME/TIME`.
  /// - Parameter isFile: whether a file of that name exists. Such a file takes precedence over the other forms.
  init(_ text: String, isFile: (String) -> Bool) throws(SourceSyntaxError) {
    if isFile(text) {
      self = .named(text, nil)
    } else if let times = try Self.times(text) {
      self = .history(times)
    } else {
      let (name, span) = try Self.split(text)
      guard !name.isEmpty else { throw SourceSyntaxError(text: text, problem: Phrase("the name is missing")) }
      self = name.hasPrefix("session:") ? .session(String(name.dropFirst(8)), span) : .named(name, span)
    }
  }

  /// Two times separated by a slash; the date of the second one is optional. Returns `nil` unless the first one is a time.
  private static func times(_ text: String) throws(SourceSyntaxError) -> Range<WallTime>? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let start = LocalTime.parse(parts[0]) else { return nil }
    guard let end = LocalTime.parse(parts[1]) ?? LocalTime.parse(parts[0].prefix(11) + parts[1]) else {
      throw SourceSyntaxError(
        text: text, problem: Phrase("'\(String(parts[1]))' is not a time such as 2026-11-20T10:10 or 10:10"))
    }
    guard start < end else {
      throw SourceSyntaxError(text: text, problem: Phrase("the end is not after the start"))
    }
    return start..<end
  }

  /// The name, and the span after the last `@`.
  private static func split(_ text: String) throws(SourceSyntaxError) -> (String, SessionSpan?) {
    guard let at = text.lastIndex(of: "@") else { return (text, nil) }
    let words = text[text.index(after: at)...]
    guard let span = SessionSpan(words) else {
      throw SourceSyntaxError(
        text: text,
        problem: Phrase("'\(String(words))' is not a span such as 1:00-6:00, -5m, 10m-, begin..end or before")
      )
    }
    return (String(text[..<at]), span)
  }
}

/// The error for an argument that is not a ``ComparedSource``.
struct SourceSyntaxError: Error, Equatable, CustomStringConvertible {
  let text: String
  let problem: Phrase

  var message: Phrase {
    Phrase(
      """
      '\(text)': \(problem). Name a file, a stored session (session:ID), a part of either (FILE@1:00-6:00), or a time of \
      the history (2026-11-20T10:00/2026-11-20T10:10).
      """)
  }

  /// The message in English.
  var description: String { Language.english.text(message) }
}
