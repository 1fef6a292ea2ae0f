internal import History
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
