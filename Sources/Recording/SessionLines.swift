package import HeartRate
package import JSONLines
package import Platform
package import SessionData

/// Several sessions in one file of JSON lines, as `export --format jsonl` writes them. Header and events are those of a
/// recording; the header has additional members with what the history stores about the session.
package enum SessionLines {
  /// Value of `format` in the header, instead of that of a recording.
  static let format = "stressmon-sessions"

  /// Writes the header of a session.
  package static func write(
    _ header: RecordingHeader, _ provenance: SessionProvenance, to line: inout JSONLine
  ) {
    RecordingFormat.write(header, as: format, to: &line) {
      $0.put("source", provenance.source)
      $0.put("utc_offset_s", provenance.utcOffset)
      $0.put("boot_ns", provenance.monotonicNanoseconds)
      $0.put("finished", provenance.isFinished)
      $0.put("ended", provenance.ended?.rfc3339)
      if let readings = provenance.readings {
        $0.put("readings", objects: readings) { $0.put("monotonic_s", seconds: $1) }
      }
    }
  }

  /// Writes the header of a recording.
  package static func write(_ header: RecordingHeader, to line: inout JSONLine) {
    RecordingFormat.write(header, to: &line)
  }

  /// Writes an event, as in a recording.
  package static func write(_ event: SessionEvent, to line: inout JSONLine) {
    RecordingFormat.write(event, to: &line)
  }

  /// Calls `body` with each session.
  /// - Throws: ``RecordingError`` for the first invalid line: exported files are read without tolerance.
  ///   ``TooManyBeats``, if they are only counted, before any memory is used for events.
  package static func sessions(
    _ source: ByteSource, mode: SessionEvents.Mode = .keeping(), _ body: (FileSession) throws -> Void
  ) throws {
    var lines = LineReader(source)
    var session: ReadSession?
    while let line = try lines.next() {
      try locating(line.number, source.path) {
        guard line.zeros == 0, !line.isTooLong else { throw RecordingFormat.LineError(.zeros(line.zeros)) }
        guard line.isTerminated else { throw RecordingFormat.LineError(.tornLastLine) }
        try read(line.bytes, into: &session, mode, body)
      }
    }
    if let session { try body(session.complete) }
  }

  /// A session whose events are being read.
  private struct ReadSession {
    var session: FileSession
    var events: SessionEvents

    var complete: FileSession {
      var complete = session
      complete.events = events.all
      return complete
    }
  }

  /// The events of lines that are in memory, without a header.
  /// - Throws: ``RecordingError`` for the first invalid line, with `path` and the number of the line.
  package static func events(in lines: ArraySlice<UInt8>, path: String) throws -> [SessionEvent] {
    var events: [SessionEvent] = []
    for (index, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      try locating(index + 1, path) { events.append(try RecordingFormat.event(JSONObject(Array(line)))) }
    }
    return events
  }

  /// Processes one line. Calls `body` with the previous session if the line is a header.
  private static func read(
    _ line: [UInt8], into session: inout ReadSession?, _ mode: SessionEvents.Mode,
    _ body: (FileSession) throws -> Void
  ) throws {
    let object = try JSONObject(line)
    switch object["type"].flatMap(object.string) {
    case "header":
      if let session { try body(session.complete) }
      session = ReadSession(session: try begin(object), events: SessionEvents(mode))
    default: try append(RecordingFormat.event(object), to: &session)
    }
  }

  /// Runs `body` and adds the line and the path to its errors.
  static func locating<T>(_ line: Int, _ path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as RecordingFormat.LineError {
      throw badLine("\(RecordingDamage(line: line, error.reason))", line, path)
    } catch let error as JSONSyntaxError {
      throw badLine("expected \(error.expected) at byte \(error.offset) of it", line, path)
    } catch let error as RecordingFormat.HeaderError {
      throw RecordingError(error.code, path: path)
    }
  }

  private static func append(_ event: SessionEvent, to session: inout ReadSession?) throws {
    guard session != nil else { throw RecordingFormat.LineError(.badMember("header")) }
    try check(event, after: session?.events.last)
    try session?.events.append(event)
  }

  /// - Parameter last: The previous event of the session, if any.
  static func check(_ event: SessionEvent, after last: SessionEvent?) throws(RecordingFormat.LineError) {
    guard let last else { return }
    guard event.at >= last.at else { throw RecordingFormat.LineError(.timeBackwards) }
    guard last.kind != .end else { throw RecordingFormat.LineError(.afterEnd) }
  }

  static func begin(_ object: JSONObject) throws -> FileSession {
    let (header, damage) = try RecordingFormat.header(object, format: format)
    if let damage = damage.first { throw RecordingFormat.LineError(damage.reason) }
    var session = FileSession(strap: header.strap)
    session.header = header
    session.provenance = SessionProvenance(
      source: object["source"].flatMap(object.string),
      utcOffset: integer("utc_offset_s", object).map(Int.init),
      monotonicNanoseconds: integer("boot_ns", object),
      isFinished: object["finished"].flatMap(object.boolean),
      ended: object["ended"].flatMap(object.string).flatMap(WallTime.init(rfc3339:)),
      readings: try RecordingFormat.readings(object))
    session.start = header.started.map { .absolute($0, utcOffset: session.provenance?.utcOffset) }
    return session
  }

  private static func integer(_ name: String, _ object: JSONObject) -> Int64? {
    guard let value = object[name], value.kind == .number else { return nil }
    return Int64(String(decoding: object.bytes[value.range], as: UTF8.self))
  }

  private static func badLine(_ why: String, _ line: Int, _ path: String) -> RecordingError {
    RecordingError(.badLine(line, why), path: path)
  }
}
