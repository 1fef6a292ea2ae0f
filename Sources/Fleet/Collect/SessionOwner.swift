internal import HeartRate
internal import History

/// The position of a message in the stream of a study.
struct StreamPosition: Equatable {
  var sequence: Int64
  /// The time at which the stream stored the message.
  var published: WallTime

  /// Whether a message is before another one in the stream.
  ///
  /// The times are compared as well, because sequence numbers alone are not reliable: a stream that was created again begins
  /// with 1, and replicas of nats-server 2.9 can number a message differently. If number and time disagree, neither message
  /// precedes the other.
  func precedes(_ other: Self) -> Bool { sequence < other.sequence && published <= other.published }
}

/// The sender of a session: the receiver and the participant of its first message in the stream. Others cannot add to the
/// session.
struct SessionOwner {
  var participant: String
  var receiver: String
  /// The partition of the messages, once known.
  var partition: Int64?
  /// The position of the first stored message. Sessions of schema version 4 and earlier have none, and keep their owner.
  var first: StreamPosition?

  /// Whether the owner sent a group of messages that a partition contains.
  func sent(_ group: CollectedBatch.Session, in lease: PartitionLease) -> Bool {
    receiver == group.receiver.text && participant == group.participant.text
      && (partition ?? Int64(lease.partition)) == Int64(lease.partition)
  }

  /// The conflict with another sender. A message of the owner in another partition causes no conflict, and neither does any
  /// message if the position of the owner is unknown.
  func conflict(with group: CollectedBatch.Session) -> SessionConflict? {
    guard let first, receiver != group.receiver.text || participant != group.participant.text else {
      return nil
    }
    return SessionConflict(
      session: group.id, receiver: group.receiver, participant: group.participant, claimed: first.published)
  }

  /// Why a message of `receiver` does not belong to the session of the owner.
  func reason(toReject receiver: String, from session: SessionID) -> String {
    receiver == self.receiver
      ? "the session \(session) belongs to another participant or partition"
      : "the session \(session) belongs to the receiver \(self.receiver)"
  }
}

extension SessionTable {
  /// Records an earlier first message of the owner, which was delivered again.
  static func setFirst(
    _ first: StreamPosition, number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try connection.run(
      "UPDATE session SET first_stream_sequence = $2, first_published = $3 WHERE number = $1",
      [.integer(number), .integer(first.sequence), .time(first.published)])
  }

  /// Moves a session to `rejected`, as one row without its events, within a transaction.
  ///
  /// A collector of another partition may be adding to the session. The session is deleted first, which waits for a
  /// transaction that has locked its row. Any other transaction does not find the row in ``ResultStore/update(_:_:)`` and is
  /// repeated.
  /// - Parameter first: The position of the first message of the session, as it was read.
  /// - Throws: ``PostgreSQLError/PrivateState/changedSession`` if the session was changed since then.
  static func reject(
    _ number: Int64, day: Int64, first: StreamPosition, reason: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let rejected = try connection.run(
      """
      WITH s AS (DELETE FROM session WHERE number = $1 AND first_stream_sequence = $2 AND first_published = $3 RETURNING *)
      INSERT INTO rejected (study, stream_sequence, subject, message, reason, payload)
      SELECT s.study, s.first_stream_sequence, concat_ws('.', 'lab', t.code, r.code, p.code, coalesce(s.strap, 'none'), s.partition), s.id, $4,
        coalesce(s.header, '')
      FROM s JOIN study t ON t.number = s.study JOIN receiver r ON r.number = s.receiver JOIN participant p ON p.number = s.participant
      ON CONFLICT (study, stream_sequence, md5(coalesce(message, '')), md5(payload)) DO UPDATE SET reason = excluded.reason
      """, [.integer(number), .integer(first.sequence), .time(first.published), .text(reason)]
    ).changedRows
    guard rejected == 1 else { throw .changedSession }
    try EventDays.deleteRows(
      where: "day = date '1970-01-01' + $1::int AND session = $2", [.integer(day), .integer(number)],
      connection)
  }
}
