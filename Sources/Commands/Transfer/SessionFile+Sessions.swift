import HeartRate
import Recording

extension SessionFile {
  /// What it is written in.
  var format: FileFormat {
    switch self {
    case .recording: .recording
    case .rrText: .rr
    case .other(let file): file.format
    }
  }

  /// How much of it was read, 0 to 1, where that is known.
  var progress: Double? { if case .other(let file) = self { file.progress } else { nil } }

  /// Hands on its sessions, whatever it is. What is amiss and does not keep the rest from being read is told.
  func forEachSession(_ body: (FileSession) throws -> Void) throws {
    switch self {
    case .recording(let reader):
      let header = reader.header
      var session = FileSession(strap: header.strap, events: Array(reader.events(report: tellDamage)))
      session.header = header
      session.start = header.started.map { .absolute($0, utcOffset: nil) }
      guard session.beats > 0 else { throw RecordingError(.noBeats(.recording), path: reader.path) }
      try body(session)
    case .rrText(let file):
      let text = try file.text()
      var session = FileSession(events: Array(text.events))
      session.skipped = text.skippedLines
      try body(session)
    case .other(let file): try file.sessions(report: tellFlaw, body)
    }
  }
}
