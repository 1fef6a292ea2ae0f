package import Platform
package import SessionData

/// A file in a format that can contain several sessions.
///
/// The sessions are read one by one. Memory grows with the beats of one session (in a Bluetooth capture: with those of all
/// straps), not with the size of the file.
package struct FormattedFile: Sendable {
  /// Calls `body` with each session, and `report` with each problem that does not prevent reading the rest.
  private typealias Reader =
    @Sendable (_ report: (String) -> Void, _ body: (FileSession) throws -> Void) throws -> Void

  package let format: FileFormat
  private let source: ByteSource
  private let reader: Reader

  package var path: String { source.path }

  /// Fraction of the file that was read, 0 to 1, if its size is known.
  package var progress: Double? { source.progress }

  /// A file in a foreign format.
  package init(_ source: ByteSource, _ format: FileFormat, _ options: RRText.Options = RRText.Options()) {
    self.format = format
    self.source = source
    reader = { report, body in
      let (bytes, beats) = (format.fewestBytesPerBeat, options.mostBeats)
      try source.countingFirst(bytesPerBeat: bytes, mostBeats: beats) { mode in
        let isKept = mode.keepsEvents
        try Self.read(source, format, options, mode, report: { if isKept { report($0) } }) {
          if isKept { try body($0) }
        }
      }
    }
  }

  /// A file in a format of another module, read by `sessions`.
  package init(
    _ source: ByteSource, _ format: FileFormat,
    sessions: @escaping @Sendable (_ body: (FileSession) throws -> Void) throws -> Void
  ) {
    self.format = format
    self.source = source
    reader = { _, body in try sessions(body) }
  }

  /// Calls `body` with each session that has at least one beat.
  /// - Parameter report: called with each problem that does not prevent reading the rest.
  /// - Throws: ``FormatError`` with the line or byte that violates the format, or if the file has no beat; errors of `body`.
  package func sessions(
    report: (String) -> Void = { _ in }, _ body: (FileSession) throws -> Void
  ) throws {
    var found = false
    do {
      try reader(report) { session in
        guard session.beats > 0 else { return }
        found = true
        try body(session)
      }
    } catch let error as TooManyBeats {
      throw FormatError(.tooManyBeats(limit: error.limit), path: path)
    }
    if !found { throw FormatError(.noBeats(format), path: path) }
  }

  /// The session of a file that contains exactly one.
  /// - Throws: ``FormatError``, also if there are several sessions.
  package func onlySession(report: (String) -> Void = { _ in }) throws -> FileSession {
    var first: FileSession?
    var count = 0
    try sessions(report: report) { session in
      count += 1
      if count == 1 { first = session }
    }
    guard let first, count == 1 else { throw FormatError(.severalSessions(format, count), path: path) }
    return first
  }

  private static func read(
    _ source: ByteSource, _ format: FileFormat, _ options: RRText.Options, _ mode: SessionEvents.Mode,
    report: (String) -> Void, _ body: (FileSession) throws -> Void
  ) throws {
    switch format {
    case .fit:
      var file = FITFile(ByteStream(source), mode)
      try file.sessions(body)
    case .hrm: try body(PolarHRM.session(source, options, mode))
    case .hrvLogger: try body(HRVLoggerTable.session(source, options, mode))
    case .polarLogger: try body(PolarLoggerText.session(source, options, mode))
    case .btsnoop:
      var capture = BTSnoop(ByteStream(source), mode)
      try capture.sessions(report: report, body)
    case .csv: try BeatTable.sessions(source, mode, body)
    case .appleHealth: try AppleHealth.sessions(source, body)
    case .edf:
      var file = EDFReader(source, mode)
      try body(file.session())
    case .wfdb:
      var record = WFDBReader(source, mostBeats: mode.mostBeats)
      try body(record.session())
    case .bids: try BIDSReader(source, mostBeats: mode.mostBeats).sessions(body)
    case .openMHealth:
      var points = OpenMHealthReader(source, mode)
      try body(points.read())
    case .xdf:
      var file = try XDFReader(source, mode)
      try file.sessions(body)
    case .recording, .rr, .jsonl, .backup: throw FormatError(.binary, path: source.path)
    }
  }
}

extension FileFormat {
  /// The length of the shortest beat in bytes. Absent if the beats are counted elsewhere, or limited otherwise.
  fileprivate var fewestBytesPerBeat: Int? {
    switch self {
    // These read files next to the one that is given.
    case .bids, .wfdb: nil
    // A measurement has a lower limit. A document of many GB is read once.
    case .appleHealth: nil
    case .csv: 12
    default: 2
    }
  }
}

extension ByteSource {
  /// Runs `read` to count beats, if the file is so long that it may have too many, and then to keep them.
  ///
  /// A pipe can be read only once: its events are kept until the limit is reached.
  /// - Parameter bytesPerBeat: The length of the shortest beat, 0 to count always, or `nil` if the file need not be counted.
  package func countingFirst<Result>(
    bytesPerBeat: Int?, mostBeats: Int = SessionEvents.mostBeats,
    _ read: (SessionEvents.Mode) throws -> Result
  ) throws -> Result {
    if let size, let bytesPerBeat, size > bytesPerBeat * mostBeats {
      _ = try read(.counting(mostBeats: mostBeats))
    }
    return try read(.keeping(mostBeats: mostBeats))
  }
}
