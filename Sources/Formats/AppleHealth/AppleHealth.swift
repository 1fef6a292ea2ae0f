import HeartRate
import Platform
import SessionData

/// Reads the export of Apple Health: one session, of about a minute, per HRV measurement with a list of beats.
///
/// The document can have tens of GB. It is read in one pass that keeps only the current measurement in memory.
enum AppleHealth {
  /// Most records have another type. They are skipped by the parser.
  private static let requests = [
    XMLRequest("HealthData"),
    XMLRequest(
      "Record", attributes: ["startDate"],
      where: ("type", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")),
    XMLRequest("InstantaneousBeatsPerMinute", attributes: ["bpm", "time"]),
  ]

  static func sessions(_ source: ByteSource, _ body: (FileSession) throws -> Void) throws {
    if source.head.starts(with: ZipEntry.magic) {
      try sessions(try InflatedEntry(try ZipEntry.document(in: source)), source, body)
    } else {
      try sessions(ByteStream(source), source, body)
    }
  }

  private static func sessions(
    _ chunks: some ByteChunks, _ source: ByteSource, _ body: (FileSession) throws -> Void
  ) throws {
    var chunks = chunks
    var repair = HealthExportRepair()
    var measurements = Measurements()
    do {
      let parser = try XMLEventParser(requests)
      while case var chunk = try chunks.nextChunk(), !chunk.isEmpty {
        repair.apply(&chunk)
        for event in try parser.parse(chunk) {
          if let session = try measurements.update(event) { try body(session) }
        }
      }
      try parser.finish()
      guard measurements.isComplete else { throw XMLError(offset: parser.length, reason: .endOfDocument) }
    } catch let error as XMLError {
      throw FormatError(.malformed(.appleHealth, .byte(error.offset), error.description), path: source.path)
    }
  }
}

/// Collects the beats of each HRV measurement.
private struct Measurements {
  private var current: BeatList?
  /// Whether the document ended with its root element.
  private(set) var isComplete = false

  /// Returns the session when its measurement ends, if it has beats.
  mutating func update(_ event: XMLEvent) throws -> FileSession? {
    switch event {
    case .start(let element) where element.name == "Record":
      current = try BeatList(element)
    case .start(let element) where element.name == "InstantaneousBeatsPerMinute":
      try current?.append(element)
    case .start: break
    case .end("Record"):
      defer { current = nil }
      return current?.session
    case .end(let name): isComplete = isComplete || name == "HealthData"
    }
    return nil
  }
}
