internal import History
internal import Localization
internal import Platform

/// Publishes through one connection.
struct PublishingRun {
  /// Interval of polling the history, in ns.
  private static let pollInterval: Int64 = 100_000_000
  /// Time to wait for the last acknowledgements, in ns.
  private static let finalAcknowledgementTimeout: Int64 = 2_000_000_000
  /// Number of sessions that are published at the same time.
  private static let sessionLimit = 64

  let stream: JetStream
  private let participants: Participants
  private let receiver: FleetCode
  private let secrets: MessageSecrets
  private let sealers: [String: MessageSealer]
  let status: Locked<FleetPublisherStatus>
  private let endsWhenCaughtUp: Bool
  var history: PublishedHistory
  var schedule = PublishingSchedule()
  private var space: StreamSpace
  private let requests: ResendSubscription
  var repetitions = Repetitions()
  private(set) var nextPoll: Int64 = 0
  var nextStore: Int64 = 0
  private var wasConnected = true
  let delivered: Int64

  init(
    stream: JetStream, state: StreamState, participants: Participants, receiver: FleetCode,
    secrets: MessageSecrets, sealers: [String: MessageSealer], location: StoreLocation,
    status: Locked<FleetPublisherStatus>,
    endsWhenCaughtUp: Bool
  ) throws(FleetError) {
    (self.stream, self.participants, self.receiver) = (stream, participants, receiver)
    (self.secrets, self.sealers) = (secrets, sealers)
    (self.status, self.endsWhenCaughtUp) = (status, endsWhenCaughtUp)
    delivered = status.withLock(\.delivered)
    requests = try stream.resendRequests(to: receiver)
    space = StreamSpace(state, at: SystemClock.boot)
    // A new stream of the same name is another target: it contains nothing of what an earlier one acknowledged.
    history = PublishedHistory(location, target: "\(stream.server.stream)/\(state.created)")
  }

  mutating func run(_ isStopped: () -> Bool) throws(FleetError) {
    status.withLock { $0.state = .connected }
    while !isStopped() {
      guard try waitForConnection() else { continue }
      let isCurrent = try refresh()
      try send()
      try receive()
      let hasStored = try storePositions(isUrgent: schedule.isDone)
      report(isWaitingForSpace: space.isFull && !schedule.isDone)
      // After storing positions, the history may contain further sessions than the limit of the query.
      if endsWhenCaughtUp, isCurrent, schedule.isDone, !hasStored { return }
    }
    try finish()
  }

  /// Waits for acknowledgements, for up to two seconds.
  private mutating func finish() throws(FleetError) {
    let deadline = SystemClock.boot + Self.finalAcknowledgementTimeout
    while schedule.inFlight > 0, stream.isConnected, SystemClock.boot < deadline { try receive() }
    _ = try storePositions(isUrgent: true)
    report(isWaitingForSpace: space.isFull && !schedule.isDone)
  }

  /// Whether the connection exists. Waits for a moment if it does not.
  private mutating func waitForConnection() throws(FleetError) -> Bool {
    if stream.isConnected {
      if !wasConnected { status.withLock { $0.state = .connected } }
      wasConnected = true
      return true
    }
    guard !stream.isClosed else { throw stream.interrupted }
    if wasConnected {
      status.withLock { ($0.state, $0.lastError) = (.retrying, stream.interrupted) }
      schedule.interrupted()
    }
    wasConnected = false
    nextPoll = SystemClock.boot + Self.pollInterval
    try receive()
    return false
  }

  /// Reads new sessions and events. Returns whether the schedule contains all of them.
  private mutating func refresh() throws(FleetError) -> Bool {
    guard SystemClock.boot >= nextPoll else { return false }
    nextPoll = SystemClock.boot + Self.pollInterval
    while let request = requests.next() { try rewind(request) }
    if let new = try history.changes(of: participants.sessions, limit: Self.sessionLimit) {
      schedule.update(new)
    }
    return true
  }

  /// Publishes the sessions of a request again, if this receiver has published them.
  private mutating func rewind(_ request: ResendRequest) throws(FleetError) {
    _ = try storePositions(isUrgent: true)
    let aliases = try aliases()
    for entry in request.entries {
      let session = aliases[entry.session] ?? entry.session
      guard repetitions.accepts(session, at: SystemClock.boot),
        try history.rewind(session, to: entry.next)
      else { continue }
      repetitions.begin(session, request.time, at: SystemClock.boot)
      // The next poll reads the new position.
      schedule.remove(session)
    }
  }

  /// The sessions of the participants with tickets, by the IDs that collectors know.
  private mutating func aliases() throws(FleetError) -> [SessionID: SessionID] {
    var aliases: [SessionID: SessionID] = [:]
    for (profile, sealer) in sealers {
      let reader = try history.opened()
      let sessions = try FleetError.local { () throws(HistoryError) in
        try reader.sessions(of: profile, limit: .max)
      }
      for session in sessions { aliases[sealer.ticket.alias(of: session.info.id)] = session.info.id }
    }
    return aliases
  }

  private mutating func send() throws(FleetError) {
    while let request = schedule.next(at: SystemClock.boot) {
      guard try hasSpace() else { return }
      guard let session = schedule.session(request.session) else { return }
      let messages = SessionMessages(
        reader: try history.opened(), study: stream.server.study, participants: participants,
        receiver: receiver, secrets: secrets, sealers: sealers, repetitions: repetitions)
      guard
        let message = try FleetError.local({ () throws(HistoryError) in
          try messages.message(for: request, of: session)
        })
      else {
        skip(request)
        continue
      }
      try publish(message, of: request.session)
    }
  }

  private mutating func skip(_ request: PublishingSchedule.Request) {
    if case .events = request.content {
      schedule.skipDeletedEvents(of: request.session)
    } else {
      schedule.remove(request.session)
    }
  }

  private mutating func publish(_ message: SessionMessages.Message, of session: SessionID) throws(FleetError)
  {
    let (headers, body) = message.encoded
    let token = schedule.sent(message.part, of: session, at: SystemClock.boot)
    space.published(body.count)
    do throws(FleetError) {
      try stream.publish(message.subject, headers: headers, body: body, token: token)
    } catch {
      // An interrupted connection is reported by `waitForConnection()`.
      guard error.code != .unreachable else { return }
      schedule.fail(session, at: SystemClock.boot)
      status.withLock { $0.lastError = error }
    }
  }

  private mutating func hasSpace() throws(FleetError) -> Bool {
    if space.needsCheck(at: SystemClock.boot) {
      guard let state = try stream.stream(stream.server.stream) else { throw stream.missingStream }
      space.update(state, at: SystemClock.boot)
      if space.isFull { status.withLock { $0.lastError = stream.fullStream } }
    }
    return !space.isFull
  }
}

/// Acknowledgements and their consequences.
extension PublishingRun {
  /// Time between two stored positions, in ns.
  private static let storeInterval: Int64 = 1_000_000_000

  /// Receives acknowledgements. Waits for the first one if nothing else is to do.
  mutating func receive() throws(FleetError) {
    let now = SystemClock.boot
    do throws(FleetError) {
      for result in try stream.acknowledgements(wait: .nanoseconds(max(0, nextPoll - now))) {
        if case .rejected(let error) = result.outcome { status.withLock { $0.lastError = error } }
        let session = schedule.receive(result, at: SystemClock.boot)
        if case .unstoredDuplicate = result.outcome, let session {
          repetitions.begin(session, SystemClock.wall, at: SystemClock.boot)
        }
      }
    } catch {
      guard error.code == .noResponder else { throw error }
      status.withLock { $0.lastError = error }
      schedule.failAll(at: SystemClock.boot)
    }
    if schedule.expire(at: SystemClock.boot) { reportTimeout() }
  }

  private func reportTimeout() {
    let error =
      stream.takePermissionViolation()
      ?? FleetError(
        .unreachable,
        Phrase(
          """
          NATS at \(stream.server.description) acknowledged no message within 10 s; check that a majority of its servers \
          runs
          """)
      )
    status.withLock { $0.lastError = error }
  }

  /// Stores positions every second. A killed program therefore repeats at most the messages of a second.
  /// - Returns: whether there were any.
  mutating func storePositions(isUrgent: Bool) throws(FleetError) -> Bool {
    guard isUrgent || SystemClock.boot >= nextStore else { return false }
    let positions = schedule.newPositions
    guard !positions.isEmpty else { return false }
    try history.advance(positions)
    schedule.positionsWereStored()
    nextStore = SystemClock.boot + Self.storeInterval
    return true
  }

  /// The latest error remains until nothing waits for another attempt or for space.
  func report(isWaitingForSpace: Bool) {
    let hasRecovered = !isWaitingForSpace && stream.isConnected && !schedule.hasFailures
    status.withLock {
      $0.delivered = delivered + schedule.delivered
      ($0.waiting, $0.behind) = (schedule.inFlight, schedule.behind)
      if hasRecovered { $0.lastError = nil }
    }
  }
}
