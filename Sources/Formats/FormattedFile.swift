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

  /// Fraction of the file that was read, 0 to 1; nil if its size is unknown.
  package var progress: Double? { source.progress }

  /// A file in a foreign format.
  package init(_ source: ByteSource, _ format: FileFormat, _ options: RRText.Options = RRText.Options()) {
    self.format = format
    self.source = source
    reader = { report, body in try Self.read(source, format, options, report: report, body) }
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
    try reader(report) { session in
      guard session.beats > 0 else { return }
      found = true
      try body(session)
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
    _ source: ByteSource, _ format: FileFormat, _ options: RRText.Options, report: (String) -> Void,
    _ body: (FileSession) throws -> Void
  ) throws {
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
    case .appleHealth: try AppleHealth.sessions(source, body)
    case .edf:
      var file = EDFReader(source)
      try body(file.session())
    case .wfdb:
      var record = WFDBReader(source)
      try body(record.session())
    case .bids: try BIDSReader(source).sessions(body)
    case .openMHealth:
      var points = OpenMHealthReader(source)
      try body(points.read())
    case .xdf:
      var file = try XDFReader(source)
      try file.sessions(body)
    case .recording, .rr, .jsonl, .backup: throw FormatError(.binary, path: source.path)
    }
  }
}
