import HeartRate
import Platform

/// One of the two things that are compared, as it was typed.
enum ComparedSource: Equatable {
  /// A file, or a stored session where there is no such file.
  case named(String, SessionSpan?)
  /// A stored session, by the beginning of its name.
  case session(String, SessionSpan?)
  /// What a person's sessions hold between two times.
  case history(Range<WallTime>)

  /// `FILE`, `ID` or `session:ID`, each with `@FROM-TO`, `@before`, `@during` or `@after` behind it if only a part is meant;
  /// or `TIME/TIME`.
  /// - Parameter isFile: whether a file of that name exists: then it is meant as it stands.
  init(_ text: String, isFile: (String) -> Bool) throws(SourceSyntaxError) {
    if isFile(text) {
      self = .named(text, nil)
    } else if let times = try Self.times(text) {
      self = .history(times)
    } else {
      let (name, span) = try Self.split(text)
      guard !name.isEmpty else { throw SourceSyntaxError(text: text, problem: "it names nothing") }
      self = name.hasPrefix("session:") ? .session(String(name.dropFirst(8)), span) : .named(name, span)
    }
  }

  /// Two times with a slash between them; of the second the date may be left out. Nil where the first is no time.
  private static func times(_ text: String) throws(SourceSyntaxError) -> Range<WallTime>? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let start = LocalTime.parse(parts[0]) else { return nil }
    guard let end = LocalTime.parse(parts[1]) ?? LocalTime.parse(parts[0].prefix(11) + parts[1]) else {
      throw SourceSyntaxError(
        text: text, problem: "'\(parts[1])' is no time such as 2026-11-20T10:10 or 10:10")
    }
    guard start < end else { throw SourceSyntaxError(text: text, problem: "it ends before it begins") }
    return start..<end
  }

  /// The name, and the span behind the last `@`.
  private static func split(_ text: String) throws(SourceSyntaxError) -> (String, SessionSpan?) {
    guard let at = text.lastIndex(of: "@") else { return (text, nil) }
    let words = text[text.index(after: at)...]
    guard let span = SessionSpan(words) else {
      throw SourceSyntaxError(
        text: text, problem: "'\(words)' is no span such as 1:00-6:00, -5m, 10m- or before")
    }
    return (String(text[..<at]), span)
  }
}

/// A part of a session: from one time to another since it began.
struct TimeSpan: Equatable {
  /// The beginning where it is absent.
  var from: Duration?
  /// The end where it is absent.
  var to: Duration?

  /// `FROM-TO`, `FROM-`, `-TO`; each `1:30`, `1:02:03` or a duration such as `90s`, `5m`.
  init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.count > 1 else { return nil }
    for (part, path) in zip(parts, [\TimeSpan.from, \.to]) where !part.isEmpty {
      guard let time = Self.time(part) else { return nil }
      self[keyPath: path] = time
    }
    if let from, let to, from >= to { return nil }
  }

  private static func time(_ text: Substring) -> Duration? {
    guard text.contains(":") else { return DurationArgument(argument: String(text))?.duration }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for part in parts {
      guard part.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), let number = Double(part),
        number < 1e6
      else { return nil }
      seconds = seconds * 60 + number
    }
    return .seconds(seconds)
  }
}

/// An argument that names nothing to compare.
struct SourceSyntaxError: Error, Equatable, CustomStringConvertible {
  let text: String
  let problem: String

  var description: String {
    "'\(text)': \(problem). Name a file, a stored session (session:ID), a part of either (FILE@1:00-6:00), or a time of "
      + "the history (2026-11-20T10:00/2026-11-20T10:10)."
  }
}
