/// A file in a format of another program, or in one that holds several sessions.
///
/// Its sessions come one after the other; memory grows with the beats of one session (of a capture: with those of all
/// its straps) and never with the file.
public struct FormattedFile: Sendable {
  public let format: FileFormat
  let source: ByteSource
  let options: RRText.Options

  public var path: String { source.path }

  /// How much of the file was read, 0 to 1; nil where its size is not known.
  public var progress: Double? { source.progress }

  /// Hands on each session with at least one beat.
  /// - Parameter report: Hears of what is amiss and does not keep the rest from being read.
  /// - Throws: ``RecordingError`` with the line or the byte where the file is not what it should be, or when there is no
  ///   beat in it; what `body` throws.
  public func sessions(
    report: (String) -> Void = { _ in }, _ body: (FileSession) throws -> Void
  ) throws {
    var found = false
    try read(report: report) { session in
      guard session.beats > 0 else { return }
      found = true
      try body(session)
    }
    if !found { throw RecordingError(.noBeats(format), path: path) }
  }

  /// The session of a file that holds one.
  /// - Throws: ``RecordingError``, also where it holds several.
  public func onlySession(report: (String) -> Void = { _ in }) throws -> FileSession {
    var first: FileSession?
    var count = 0
    try sessions(report: report) { session in
      count += 1
      if count == 1 { first = session }
    }
    guard let first, count == 1 else { throw RecordingError(.severalSessions(format, count), path: path) }
    return first
  }

  private func read(report: (String) -> Void, _ body: (FileSession) throws -> Void) throws {
    switch format {
    case .fit:
      var file = FITFile(ByteStream(source))
      try file.sessions(body)
    case .hrm: try body(PolarHRM.session(source, options))
    case .hrvLogger: try body(HRVLoggerTable.session(source, options))
    case .polarLogger: try body(PolarLoggerText.session(source, options))
    case .btsnoop:
      var capture = BTSnoop(ByteStream(source))
      try capture.sessions(report: report, body)
    case .csv: try BeatTable.sessions(source, body)
    case .jsonl: try SessionLines.sessions(source, body)
    case .appleHealth: try AppleHealth.sessions(source, body)
    case .recording, .rr, .backup: throw RecordingError(.binary, path: path)
    }
  }
}
