package import HeartRate
package import JSONLines
package import Platform
package import SessionData

/// Sessions of a history as JSON lines, each a header and its events: what `export --format jsonl`
/// writes. Header and events are those of a recording; the header tells in addition what only the history knows.
package enum SessionLines {
  /// The `format` of the header, in the place of that of a recording.
  static let format = "stressmon-sessions"

  /// Writes the line that a session begins with.
  package static func write(
    _ header: RecordingHeader, _ provenance: SessionProvenance, to line: inout JSONLine
  ) {
    RecordingFormat.write(header, as: format, to: &line) {
      $0.put("source", provenance.source)
      $0.put("utc_offset_s", provenance.utcOffset)
      $0.put("boot_ns", provenance.monotonicNanoseconds)
      $0.put("finished", provenance.isFinished)
      $0.put("ended", provenance.ended?.rfc3339)
    }
  }

  /// Writes the line that a recording begins with.
  package static func write(_ header: RecordingHeader, to line: inout JSONLine) {
    RecordingFormat.write(header, to: &line)
  }

  /// Writes the line of an event, as it stands in a recording.
  package static func write(_ event: SessionEvent, to line: inout JSONLine) {
    RecordingFormat.write(event, to: &line)
  }

  /// - Throws: ``RecordingError`` for the first line that is not as it was written: nothing is guessed here.
  package static func sessions(_ source: ByteSource, _ body: (FileSession) throws -> Void) throws {
    var lines = LineReader(source)
    var session: FileSession?
    while let line = try lines.next() {
      do {
        guard line.zeros == 0, !line.isTooLong else { throw RecordingFormat.Flaw(.zeros(line.zeros)) }
        guard line.isTerminated else { throw RecordingFormat.Flaw(.tornLastLine) }
        let object = try JSONObject(line.bytes)
        switch object["type"].flatMap(object.string) {
        case "header":
          if let session { try body(session) }
          session = try begin(object)
        default: try append(RecordingFormat.event(object), to: &session)
        }
      } catch let flaw as RecordingFormat.Flaw {
        throw self.flaw("\(RecordingDamage(line: line.number, flaw.reason))", line, source)
      } catch let flaw as JSONFlaw {
        throw self.flaw("expected \(flaw.expected) at byte \(flaw.offset) of it", line, source)
      } catch let flaw as RecordingFormat.RecordingErrorCode {
        throw RecordingError(flaw.code, path: source.path)
      }
    }
    if let session { try body(session) }
  }

  private static func append(_ event: SessionEvent, to session: inout FileSession?) throws(RecordingFormat
    .Flaw)
  {
    guard let last = session?.events.last else {
      guard session != nil else { throw RecordingFormat.Flaw(.badMember("header")) }
      session?.events.append(event)
      return
    }
    guard event.at >= last.at else { throw RecordingFormat.Flaw(.timeBackwards) }
    guard last.kind != .end else { throw RecordingFormat.Flaw(.afterEnd) }
    session?.events.append(event)
  }

  private static func begin(_ object: JSONObject) throws -> FileSession {
    let (header, damage) = try RecordingFormat.header(object, format: format)
    if let damage = damage.first { throw RecordingFormat.Flaw(damage.reason) }
    var session = FileSession(strap: header.strap)
    session.header = header
    session.provenance = SessionProvenance(
      source: object["source"].flatMap(object.string),
      utcOffset: integer("utc_offset_s", object).map(Int.init),
      monotonicNanoseconds: integer("boot_ns", object),
      isFinished: object["finished"].flatMap(object.boolean),
      ended: object["ended"].flatMap(object.string).flatMap(WallTime.init(rfc3339:)))
    session.start = header.started.map { .absolute($0, utcOffset: session.provenance?.utcOffset) }
    return session
  }

  private static func integer(_ name: StaticString, _ object: JSONObject) -> Int64? {
    guard let value = object[name], value.kind == .number else { return nil }
    return Int64(String(decoding: object.bytes[value.range], as: UTF8.self))
  }

  private static func flaw(_ why: String, _ line: LineReader.Line, _ source: ByteSource) -> RecordingError {
    RecordingError(.badLine(line.number, why), path: source.path)
  }
}
