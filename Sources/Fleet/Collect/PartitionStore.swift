internal import HeartRate
internal import History

/// Stores the batches of one partition, each in one transaction, and keeps the engines of its sessions between them.
///
/// After any error the engines are dropped, because they may have processed events that were not committed. They are restored
/// from the stored events.
struct PartitionStore {
  /// The changes that a batch made.
  struct Outcome: Equatable {
    var events = 0
    var rows = 0
    var rejected = 0
    /// Sessions of erased participants in the batch.
    var erasedSessions = 0
    /// Erased participants of whom the batch contains messages.
    var erased: Set<FleetCode> = []
    /// Of the rejected messages.
    var conflicts: [SessionConflict] = []
  }

  /// The greatest number of engines that are kept.
  static let cacheLimit = 256

  private let lease: PartitionLease
  private var cache: SessionCache
  private var days: DayAdmission
  var conflicts = ConflictSchedule()

  init(_ lease: PartitionLease, cacheLimit: Int = cacheLimit) {
    self.lease = lease
    cache = SessionCache(limit: cacheLimit)
    days = DayAdmission(study: lease.study)
  }

  /// Stores a batch. When it returns, the batch is durable, and its messages can be acknowledged.
  mutating func store(
    _ batch: CollectedBatch, _ messages: [CollectedMessage], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Outcome {
    do throws(PostgreSQLError) {
      let decision = try days.admit(batch.sessions, connection)
      let outcome = try connection.transaction { () throws(PostgreSQLError) in
        try write(batch, decision, messages, connection)
      }
      cache.shrink()
      return outcome
    } catch {
      cache.removeAll()
      days.removeAll()
      throw error
    }
  }

  /// Renews the lease of a partition without messages.
  func renew(_ connection: PostgreSQLConnection) throws(PostgreSQLError) { try lease.renew(connection) }

  /// Stores a message that the database refused, with the reason.
  func reject(
    _ message: CollectedMessage, _ reason: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try connection.transaction { () throws(PostgreSQLError) in
      try lease.renew(connection)
      _ = try RejectedTable.insert(
        [CollectedBatch.Rejection(message: 0, reason: reason)], [message], study: lease.study, connection)
    }
  }

  private mutating func write(
    _ batch: CollectedBatch, _ decision: DayAdmission.Decision, _ messages: [CollectedMessage],
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Outcome {
    try lease.renew(connection, streamSequence: messages.last?.streamSequence ?? 0)
    let erased = try ErasureTable.erased(
      among: batch.sessions.map(\.participant)
        + (batch.rejections.map(\.message) + batch.deferred.map(\.message)).compactMap {
          messages[$0].participant
        },
      study: lease.study, connection)
    let deferred = batch.deferred(without: erased, messages)
    if let format = deferred.map(\.format).min(),
      let since = deferred.map({ messages[$0.message].published }).min()
    {
      try lease.deferMessages(format: format, since: since, connection)
    }
    let sessions = decision.accepted.filter { !erased.contains($0.participant) }
    var outcome = Outcome(
      erasedSessions: batch.sessions.count { erased.contains($0.participant) }, erased: erased)
    // The sessions of messages without a key are not known; each of these messages counts.
    outcome.erasedSessions += batch.deferred.count - deferred.count
    var writer = BatchWriter(lease, cache)
    cache = SessionCache(limit: cache.limit)
    outcome.events = try writer.store(sessions, connection)
    outcome.rows = try writer.process(connection)
    cache = writer.cache
    let rejections =
      (batch.rejections + decision.refused.flatMap { messages.rejections(of: $0.group, $0.reason) })
      .filter { rejection in messages[rejection.message].participant.map { !erased.contains($0) } ?? true }
      + writer.foreign.flatMap { messages.rejections(of: $0.group, $0.reason) }
    outcome.rejected = try RejectedTable.insert(rejections, messages, study: lease.study, connection)
    outcome.rejected += writer.replaced
    outcome.conflicts = writer.foreign.compactMap(\.conflict)
    return outcome
  }
}
