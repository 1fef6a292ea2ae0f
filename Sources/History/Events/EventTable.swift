internal import GRDB
internal import HeartRate

/// The tables `session_event`, `link_change` and `stream_change`. Every bit of an event is restored.
///
/// Uses ``RawStatement`` for speed; its documentation has the figures.
enum EventTable {
  private enum Kind: Int64 {
    case notification = 1
    case interval
    case link
    case battery
    case mark
    case end
    case sensorFrame
    case stream
  }

  /// The kinds that describe the program and the link, as a list in SQL.
  static let kindsWithoutData = "\(Kind.link.rawValue), \(Kind.end.rawValue)"

  /// The kind of the end of a session, for SQL.
  static let endKind = Kind.end.rawValue

  /// The latest battery level in percent of the session with the number `session`, as an expression of SQL.
  static func latestBattery(of session: String) -> String {
    """
    (SELECT CAST(payload AS INTEGER) FROM session_event WHERE session = \(session) AND kind = \(Kind.battery.rawValue)
      ORDER BY sequence DESC LIMIT 1)
    """
  }

  /// The kind of a battery level, for SQL.
  static let batteryKind = Kind.battery.rawValue

  /// The kind of a notification, for SQL.
  static let notificationKind = Kind.notification.rawValue

  /// The states of a link without live data, as a list in SQL.
  static let statesWithoutLiveData =
    LinkChange.State.allCases.filter { !$0.hasLiveData }.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

// MARK: - Writing

extension EventTable {
  /// Writes events of one session.
  struct Writer {
    private let database: Database
    private let session: Int64
    private let statement: RawStatement

    init(_ db: Database, session: Int64) throws {
      database = db
      self.session = session
      statement = try RawStatement(
        db,
        "INSERT INTO session_event (session, sequence, ticks, wall_us, kind, payload) VALUES (?, ?, ?, ?, ?, ?)"
      )
      try statement.bind(.integer(session), at: 1)
    }

    func write(_ event: SessionEvent, sequence: Int) throws {
      switch event.kind {
      case .notification(let payload): try insert(.notification, .blob(payload), event, sequence)
      case .interval(let rr): try insert(.interval, .integer(rr.ticks), event, sequence)
      case .battery(let level): try insert(.battery, .integer(Int64(level.percent)), event, sequence)
      case .mark(let text): try insert(.mark, .text(text), event, sequence)
      case .end: try insert(.end, .integer(nil), event, sequence)
      case .link(let change):
        try insert(.link, .integer(nil), event, sequence)
        try LinkChangeRecord(change, session: session, sequence: sequence).store(in: database)
      case .sensorFrame(let payload):
        try insert(.sensorFrame, .blob(StoredSensorFrame.stored(payload)), event, sequence)
      case .stream(let change):
        try insert(.stream, .integer(nil), event, sequence)
        try StreamChangeRecord(change, session: session, sequence: sequence).store(in: database)
      }
    }

    /// Binds the values one by one: an array of them would be allocated for each row.
    private func insert(_ kind: Kind, _ payload: SQLValue, _ event: SessionEvent, _ sequence: Int) throws {
      try statement.bind(.integer(Int64(sequence)), at: 2)
      try statement.bind(.integer(event.at.ticks), at: 3)
      try statement.bind(.integer(event.wall?.microseconds), at: 4)
      try statement.bind(.integer(kind.rawValue), at: 5)
      try statement.bind(payload, at: 6)
      try statement.run()
    }
  }

  /// A row of the table `link_change`: the details of a link event.
  private struct LinkChangeRecord: Encodable, PersistableRecord {
    static let databaseTableName = "link_change"

    var session: Int64
    var sequence: Int
    var state: String
    var strapAddress: FreeText?
    var strapName: FreeText?
    var reason: FreeText?

    enum CodingKeys: String, CodingKey {
      case session, sequence, state, reason
      case strapAddress = "strap_address"
      case strapName = "strap_name"
    }

    init(_ change: LinkChange, session: Int64, sequence: Int) {
      self.session = session
      self.sequence = sequence
      state = change.state.rawValue
      strapAddress = (change.strap?.address).map(FreeText.init)
      strapName = change.strap?.name.map(FreeText.init)
      reason = change.reason.map(FreeText.init)
    }
  }
}

// MARK: - Reading

extension EventTable {
  /// The columns of ``select``, in its order.
  private enum Column: CInt {
    case sequence, ticks, wall, kind, payload, state, strapAddress, strapName, reason
  }

  private static let select = """
    SELECT e.sequence, e.ticks, e.wall_us, e.kind, e.payload, l.state, l.strap_address, l.strap_name, l.reason
    FROM session_event e LEFT JOIN link_change l ON l.session = e.session AND l.sequence = e.sequence
    WHERE e.session = (SELECT number FROM session WHERE id = :session) AND e.sequence >= :first
    ORDER BY e.sequence LIMIT :limit
    """

  /// Up to `limit` events of a session from the sequence number `first` on, with their sequence numbers.
  /// - Throws: ``MalformedRow`` for an event that the program does not write.
  static func page(
    _ db: Database, session: SessionID, from first: Int64, limit: Int
  ) throws -> [(sequence: Int64, event: SessionEvent)] {
    try RawStatement(db, select, ["session": session.text, "first": first, "limit": limit]).all { row in
      (
        row.integer(Column.sequence),
        SessionEvent(
          at: SessionTime(ticks: row.integer(Column.ticks)),
          wall: row.integerOrNil(Column.wall).map { WallTime(microseconds: $0) }, try kind(db, session, row))
      )
    }
  }

  /// The sequence number of the first event at `time` or later; the greatest number without one. Does not decode events.
  static func firstSequence(_ db: Database, session: SessionID, reaching time: SessionTime) throws -> Int64 {
    let statement = try db.statement(
      """
      SELECT sequence FROM session_event
      WHERE session = (SELECT number FROM session WHERE id = :session) AND ticks >= :ticks ORDER BY sequence LIMIT 1
      """, ["session": session.text, "ticks": time.ticks])
    return try Int64.fetchOne(statement) ?? .max
  }

  private static func kind(_ db: Database, _ session: SessionID, _ row: RawRow) throws -> SessionEvent.Kind {
    switch Kind(rawValue: row.integer(Column.kind)) {
    case .notification: return .notification(payload: row.bytes(Column.payload))
    case .interval: return .interval(RRInterval(ticks: row.integer(Column.payload)))
    case .link: return .link(try linkChange(row))
    case .battery: return .battery(try batteryLevel(row))
    case .mark: return .mark(row.text(Column.payload))
    case .end: return .end
    case .sensorFrame: return .sensorFrame(payload: try sensorFrame(row))
    case .stream:
      return .stream(try StreamChangeRecord.change(db, session, sequence: row.integer(Column.sequence)))
    case nil:
      throw MalformedRow(
        "unknown kind \(row.integer(Column.kind)) of event \(row.integer(Column.sequence))")
    }
  }

  private static func sensorFrame(_ row: RawRow) throws(MalformedRow) -> [UInt8] {
    guard let payload = StoredSensorFrame.payload(row.bytes(Column.payload)) else {
      throw MalformedRow("sensor frame in event \(row.integer(Column.sequence))")
    }
    return payload
  }

  private static func linkChange(_ row: RawRow) throws(MalformedRow) -> LinkChange {
    LinkChange(
      try LinkChange.State(stored: row.text(Column.state)),
      strap: StrapIdentity(
        stored: row.textOrNil(Column.strapAddress).map(FreeText.init),
        name: row.textOrNil(Column.strapName).map(FreeText.init)),
      reason: row.textOrNil(Column.reason))
  }

  private static func batteryLevel(_ row: RawRow) throws(MalformedRow) -> BatteryLevel {
    let percent = row.integer(Column.payload)
    guard let byte = UInt8(exactly: percent), let level = BatteryLevel(percent: byte) else {
      throw MalformedRow("battery level \(percent) in event \(row.integer(Column.sequence))")
    }
    return level
  }
}
