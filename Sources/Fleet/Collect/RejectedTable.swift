internal import History

/// The table `rejected`: messages that cannot be processed, with their content.
enum RejectedTable {
  static func insert(
    _ rejections: [CollectedBatch.Rejection], _ messages: [CollectedMessage], study: Int64,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int {
    var count = 0
    for rejection in rejections {
      let message = messages[rejection.message]
      count += try connection.run(
        """
        INSERT INTO rejected (study, stream_sequence, subject, message, reason, payload)
        VALUES ($1::int, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        """,
        [
          .integer(study), .integer(message.streamSequence), .text(message.subject),
          .text(message.headers[FleetMessage.HeaderName.id]), .text(rejection.reason), .bytes(message.body),
        ]
      ).changedRows
    }
    return count
  }
}

extension [CollectedMessage] {
  /// Rejects all messages of a session of one receiver under one participant.
  func rejections(of group: CollectedBatch.Session, _ reason: String) -> [CollectedBatch.Rejection] {
    indices.filter { index in
      let isOfSession = self[index].headers[FleetMessage.HeaderName.id]?.hasPrefix("\(group.id)/") ?? false
      guard isOfSession, let subject = FleetSubject(self[index].subject) else { return false }
      return subject.receiver == group.receiver && subject.participant == group.participant
    }
    .map { CollectedBatch.Rejection(message: $0, reason: reason) }
  }
}
