import ArgumentParser
import Localization
import NetworkCommands
import Reports
import Terminal

extension SessionSpan {
  /// Parses `before`, `during`, `after`, or a ``TimeSpan``.
  init?(_ text: Substring) {
    if let stage = ExerciseStage(rawValue: String(text)) {
      self = .exercise(stage)
    } else if let times = TimeSpan(text) {
      self = .times(times)
    } else {
      return nil
    }
  }
}

extension TimeSpan {
  /// Parses `FROM-TO`, `FROM-`, `-TO` or `FROM..TO`. Each point is a time (`1:30`, `1:02:03` or a duration such as `90s`) or a
  /// mark. Marks whose names contain hyphens or offsets require the form with two points.
  init?(_ text: Substring) {
    let parts: [Substring]
    if let dots = text.firstRange(of: "..") {
      parts = [text[..<dots.lowerBound], text[dots.upperBound...]]
    } else {
      parts = text.split(separator: "-", omittingEmptySubsequences: false)
      // A mark whose name begins with a digit may be a mistyped time.
      guard parts.allSatisfy({ $0.first?.isLetter ?? true || SpanPoint.time($0) != nil }) else { return nil }
    }
    guard parts.count == 2, !parts.allSatisfy(\.isEmpty) else { return nil }
    self.init(begin: nil, end: nil)
    for (part, path) in zip(parts, [\TimeSpan.begin, \.end]) where !part.isEmpty {
      guard let point = SpanPoint(part) else { return nil }
      self[keyPath: path] = point
    }
    if case .time(let from) = begin, case .time(let to) = end, from >= to { return nil }
  }
}

extension SpanPoint {
  /// Parses a time, or a mark: `stimulus`, its second occurrence `stimulus#2`, or a time relative to it (`stimulus+10s`).
  init?(_ text: Substring) {
    if let time = Self.time(text) {
      self = .time(time)
      return
    }
    var (name, offset) = (text, Duration.zero)
    if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), sign > text.startIndex,
      let distance = Duration(signed: text[sign...])
    {
      (name, offset) = (text[..<sign], distance)
    }
    var occurrence: Int?
    if let number = name.lastIndex(of: "#"), let count = Int(name[name.index(after: number)...]), count > 0 {
      (name, occurrence) = (name[..<number], count)
    }
    guard name.contains(where: \.isLetter) else { return nil }
    self = .mark(String(name), occurrence: occurrence, offset: offset)
  }

  fileprivate static func time(_ text: Substring) -> Duration? {
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

extension Duration {
  /// Parses a time with a sign: `-10s`, `+1:30`. Fails without a sign.
  fileprivate init?(signed text: Substring) {
    guard text.first == "+" || text.first == "-", let time = SpanPoint.time(text.dropFirst()) else {
      return nil
    }
    self = text.first == "-" ? .zero - time : time
  }
}

extension Segment {
  /// Parses `NAME=SPAN`.
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
      let span = SessionSpan(argument[argument.index(after: equals)...])
    else { return nil }
    self.init(String(argument[..<equals]), .span(span))
  }

  /// Parses `MARK FROM TO` with times relative to the mark, such as `stimulus -10s +60s`.
  init?(epoch argument: String) {
    let words = argument.split(whereSeparator: \.isWhitespace)
    guard words.count > 2, let from = Duration(signed: words[words.count - 2]),
      let to = Duration(signed: words[words.count - 1]), from < to
    else { return nil }
    let mark = words.dropLast(2).joined(separator: " ")
    self.init(mark, .epochs(mark: mark, from: from, to: to))
  }
}

/// The parts of each session that are analyzed, instead of the whole.
struct SegmentOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Analyze a part of each session; may be repeated. Begin and end are times, marks, or both: \
        --segment task=begin..end, --segment rest=0:30..task-10s.
        """),
      valueName: "name=begin..end"))
  var segment: [String] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      localized(
        """
        Analyze the time around each mark with a name; may be repeated: --epoch 'stimulus -10s +60s'.
        """),
      valueName: "mark from to"))
  var epoch: [String] = []

  func validate() throws {
    if let text = segment.first(where: { Segment(argument: $0) == nil }) {
      throw ValidationError(
        Phrase("--segment '\(text.printable)' is not NAME=BEGIN..END. Example: --segment task=begin..end"))
    }
    if let text = epoch.first(where: { Segment(epoch: $0) == nil }) {
      throw ValidationError(
        Phrase(
          "--epoch '\(text.printable)' is not a mark and two times with signs. Example: --epoch 'stimulus -10s +60s'"
        ))
    }
  }

  var segments: [Segment] {
    segment.compactMap { Segment(argument: $0) } + epoch.compactMap { Segment(epoch: $0) }
  }
}
