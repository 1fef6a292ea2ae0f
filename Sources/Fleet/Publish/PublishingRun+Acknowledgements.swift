internal import History
internal import Platform

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
        "NATS at \(stream.server.description) acknowledged no message within 10 s; check that a majority of its servers runs"
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
