internal import GRDB
internal import HeartRate

/// A row of the table `stream_change`: the details of a stream event.
struct StreamChangeRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "stream_change"

  private var session: Int64
  private var sequence: Int64
  private var stream: String
  private var state: String
  private var rate: Int?
  private var resolution: Int?
  private var range: Int?
  private var factor: Double
  private var reason: FreeText?

  enum CodingKeys: String, CodingKey {
    case session, sequence, stream, state, factor, reason
    case rate = "rate_hz"
    case resolution = "resolution_bits"
    case range = "range_g"
  }

  init(_ change: SensorStreamChange, session: Int64, sequence: Int) {
    self.session = session
    self.sequence = Int64(sequence)
    stream = change.stream.name
    state = change.state.rawValue
    rate = change.settings.rate
    resolution = change.settings.resolution
    range = change.settings.range
    factor = change.settings.factor
    reason = change.reason.map(FreeText.init)
  }

  /// The change with the number `sequence` of a session.
  static func change(_ db: Database, _ session: SessionID, sequence: Int64) throws -> SensorStreamChange {
    let record = try fetchOne(
      db.statement(
        """
        SELECT * FROM stream_change
        WHERE session = (SELECT number FROM session WHERE id = :session) AND sequence = :sequence
        """, ["session": session.text, "sequence": sequence]))
    guard let record, let stream = SensorStream(name: record.stream),
      let state = SensorStreamChange.State(rawValue: record.state)
    else { throw MalformedRow("stream change of event \(sequence)") }
    return SensorStreamChange(
      stream, state,
      settings: SensorSettings(
        rate: record.rate, resolution: record.resolution, range: record.range, factor: record.factor),
      reason: record.reason?.text)
  }
}
