package import HeartRate
internal import JSONLines
package import SessionData

/// Parses the exported lines of one session, which arrive in several pieces. Its events need not be in memory together.
package struct SessionLineParser: Sendable {
  package enum Line: Sendable {
    /// The header as a session without events.
    case header(FileSession)
    case event(SessionEvent)
  }

  private let path: String
  private var rest: ArraySlice<UInt8> = []
  private var number = 0
  private var hasHeader = false
  private var last: SessionEvent?

  /// - Parameter path: The name of the lines in errors.
  package init(path: String) { self.path = path }

  /// Adds lines; the last one is complete. Call it when ``next()`` has returned nil.
  package mutating func append(_ piece: ArraySlice<UInt8>) { rest = piece }

  /// Reads the next line of the piece.
  /// - Throws: ``RecordingError`` for an invalid line and for a second header, with the number of the line.
  package mutating func next() throws -> Line? {
    while let first = rest.first {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let bytes = Array(rest[..<end])
      rest = rest[end...].dropFirst()
      number += 1
      if first == UInt8(ascii: "\n") { continue }
      return try SessionLines.locating(number, path) { try line(bytes) }
    }
    // Releases the piece before the next one is read.
    rest = []
    return nil
  }

  private mutating func line(_ bytes: [UInt8]) throws -> Line {
    let object = try JSONObject(bytes)
    guard object["type"].flatMap(object.string) != "header" else {
      guard !hasHeader else { throw RecordingFormat.LineError(.secondHeader) }
      hasHeader = true
      return .header(try SessionLines.begin(object))
    }
    let event = try RecordingFormat.event(object)
    guard hasHeader else { throw RecordingFormat.LineError(.badMember("header")) }
    try SessionLines.check(event, after: last)
    last = event
    return .event(event)
  }
}
