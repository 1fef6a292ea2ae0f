internal import GRDB
internal import HeartRate

/// How an event lies in the tables `session_event` and `link_change`; every bit of it comes back.
enum EventRow {
  private enum Kind: Int64 {
    case notification = 1
    case interval
    case link
    case battery
    case mark
    case end
  }

  /// The kinds that tell of the program and of the link, for SQL.
  static let kindsWithoutData = "\(Kind.link.rawValue), \(Kind.end.rawValue)"

  /// The kind of a notification, for SQL.
  static let notificationKind = Kind.notification.rawValue

  /// Writes events of one session.
  struct Writer {
    private let session: Int64
    private let event: Query
    private let link: Query

    init(_ db: Database, session: Int64) throws {
      self.session = session
      event = try Query(
        db,
        "INSERT INTO session_event (session, sequence, ticks, wall_us, kind, payload) VALUES (?, ?, ?, ?, ?, ?)"
      )
      try event.bind(.integer(session), at: 1)
      link = try Query(
        db,
        """
        INSERT INTO link_change (session, sequence, state, strap_address, strap_name, reason)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    }

    func write(_ event: SessionEvent, sequence: Int) throws {
      switch event.kind {
      case .notification(let payload): try row(.notification, .blob(payload), event, sequence)
      case .interval(let rr): try row(.interval, .integer(rr.ticks), event, sequence)
      case .battery(let level): try row(.battery, .integer(Int64(level.percent)), event, sequence)
      case .mark(let text): try row(.mark, .text(text), event, sequence)
      case .end: try row(.end, .integer(nil), event, sequence)
      case .link(let change):
        try row(.link, .integer(nil), event, sequence)
        try link.run(
          .integer(session), .integer(Int64(sequence)), .text(change.state.rawValue),
          .text(change.strap?.address),
          .text(change.strap?.name), .text(change.reason))
      }
    }

    /// One after the other: a list of values would be made for each row.
    private func row(_ kind: Kind, _ payload: SQLValue, _ event: SessionEvent, _ sequence: Int) throws {
      try self.event.bind(.integer(Int64(sequence)), at: 2)
      try self.event.bind(.integer(event.at.ticks), at: 3)
      try self.event.bind(.integer(event.wall?.microseconds), at: 4)
      try self.event.bind(.integer(kind.rawValue), at: 5)
      try self.event.bind(payload, at: 6)
      try self.event.runBound()
    }
  }

  /// Up to `limit` events of a session from `sequence` on, with their sequence numbers.
  static func page(
    _ db: Database, session: SessionID, from sequence: Int64, limit: Int
  ) throws -> [(sequence: Int64, event: SessionEvent)] {
    try Query(
      db,
      """
      SELECT e.sequence, e.ticks, e.wall_us, e.kind, e.payload, l.state, l.strap_address, l.strap_name, l.reason
      FROM session_event e LEFT JOIN link_change l ON l.session = e.session AND l.sequence = e.sequence
      WHERE e.session = (SELECT number FROM session WHERE id = ?) AND e.sequence >= ?
      ORDER BY e.sequence LIMIT ?
      """
    ).all(.text(session.text), .integer(sequence), .integer(Int64(limit))) { row in
      (
        row.integer(0),
        SessionEvent(
          at: SessionTime(ticks: row.integer(1)),
          wall: row.integerOrNil(2).map { WallTime(microseconds: $0) }, try kind(row))
      )
    }
  }

  private static func kind(_ row: Columns) throws -> SessionEvent.Kind {
    switch Kind(rawValue: row.integer(3)) {
    case .notification: return .notification(payload: row.bytes(4))
    case .interval: return .interval(RRInterval(ticks: row.integer(4)))
    case .link:
      let state = try row.named(5, as: LinkChange.State.self)
      return .link(LinkChange(state, strap: strap(row, address: 6, name: 7), reason: row.textOrNil(8)))
    case .battery:
      guard let percent = UInt8(exactly: row.integer(4)), let level = BatteryLevel(percent: percent) else {
        throw MalformedRow("battery level \(row.integer(4)) in event \(row.integer(0))")
      }
      return .battery(level)
    case .mark: return .mark(row.text(4))
    case .end: return .end
    case nil: throw MalformedRow("unknown kind \(row.integer(3)) of event \(row.integer(0))")
    }
  }

  /// The strap in two columns; nil where there is no address.
  static func strap(_ row: Columns, address: CInt, name: CInt) -> StrapIdentity? {
    guard let text = row.textOrNil(address) else { return nil }
    var strap = StrapIdentity(address: text, name: row.textOrNil(name))
    strap.address = text
    return strap
  }
}
