package import HeartRate
import JSONLines
import Platform

/// A line that a reader sends to the session that it is connected to.
package enum FeedRequest: Equatable, Sendable {
  /// Marks the current time.
  case mark(note: String?)
  /// Marks a time, by default the current one, with exactly this text, which does not become a journal entry: the event of an experiment.
  case event(text: String, time: WallTime?)

  /// Limit of a line in bytes, and of a note in characters (Unicode code points, of at most 12 bytes in JSON).
  package static let (longestLine, longestNote) = (8 << 10, 500)

  static let type = "mark"

  /// The line with its line feed.
  package var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      switch self {
      case .mark(let note):
        line.put("type", Self.type)
        line.put("note", note)
      case .event(let text, let time):
        line.put("type", Self.type)
        line.put("text", text)
        line.put("time", time?.rfc3339)
      }
    }
    return line.bytes
  }

  /// Decodes the line of a request. White space and control characters of the note become single spaces. An empty note counts
  /// as missing; a text that is too long and a malformed time make the request invalid.
  package init?(_ line: some Collection<UInt8>) {
    guard let object = try? JSONObject(Array(line)), object.text("type") == Self.type else { return nil }
    if let text = object.text("text").map(Self.normalized), !text.isEmpty {
      let time = object.text("time").map { WallTime(rfc3339: $0) }
      guard !Self.isTooLong(note: text), time != .some(nil) else { return nil }
      self = .event(text: text, time: time ?? nil)
      return
    }
    let note = object.text("note").map(Self.normalized) ?? ""
    guard !Self.isTooLong(note: note) else { return nil }
    self = .mark(note: note.isEmpty ? nil : note)
  }

  package static func isTooLong(note: String) -> Bool { note.unicodeScalars.count > longestNote }

  /// The text in one line, with other unprintable characters replaced by U+FFFD.
  package static func normalized(_ note: String) -> String {
    let isSeparator = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
    let words = note.unicodeScalars.split(whereSeparator: isSeparator)
    return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ").withoutControlCharacters
  }
}

/// The answer to a request, which only the reader that sent it receives.
package enum FeedReply: Equatable, Sendable {
  /// The text and the session time of the mark, as in the line of the mark that all readers receive, and its wall-clock time.
  case marked(String, at: Double? = nil, time: WallTime? = nil)
  /// Why the session rejected the request.
  case refused(String)

  static let type = "reply"

  /// The line with its line feed.
  var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("type", Self.type)
      switch self {
      case .marked(let text, let seconds, let time):
        line.put("mark", text)
        line.put("monotonic_s", seconds)
        line.put("time", time?.rfc3339)
      case .refused(let reason): line.put("refused", reason)
      }
    }
    return line.bytes
  }

  /// Decodes the line of a reply.
  init?(_ line: some Collection<UInt8>) {
    guard let object = try? JSONObject(Array(line)), object.text("type") == Self.type else { return nil }
    if let text = object.text("mark") {
      let time = object.text("time").flatMap { WallTime(rfc3339: $0) }
      self = .marked(text, at: object.value("monotonic_s"), time: time)
    } else {
      self = .refused(object.text("refused") ?? "unknown reason")
    }
  }
}
