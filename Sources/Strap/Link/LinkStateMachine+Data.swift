import HeartRate

// While data arrive, and when they stop.
extension LinkStateMachine {
  /// Data prove the subscription, even before the reply of StartNotify.
  mutating func handleArrival(at now: Duration) {
    switch state {
    case .streaming, .subscribing: break
    default: return
    }
    let isFirst = !state.isStreaming || reportedState != .connected
    enter(.streaming(lastArrival: now))
    updateAttempts { $0.dataArrived() }
    guard isFirst else { return }
    updateAttempts { $0.streamed() }
    report(.connected)
  }

  /// Handles the end of the link and a replaced object of 0x2A37 while subscribed.
  mutating func evaluateLink(at now: Duration) {
    guard isLinked else { return loseLink(at: now) }
    let path = snapshot.sighting(of: target)?.measurement
    guard path != subscribedPath else { return }
    unsubscribe()
    if path == nil { resolve(at: now) } else { subscribe(at: now) }
  }

  /// The loss of a link that carried data does not count as a failed attempt, so the next one is a direct Connect.
  private mutating func loseLink(at now: Duration) {
    let failure = lossFailure
    clearDisconnectReason()
    let isAttempt = !state.isStreaming
    updateAttempts {
      if isAttempt { $0.countFailure() }
      $0.remember(failure)
    }
    reportLoss(reason: failure.message)
    backOff(after: failure, at: now)
  }

  // MARK: Silence

  /// Each repair without data doubles the limit, up to 8 times.
  private var silenceLimit: Duration { timing.silence * (1 << min(attempts.repairs, 3)) }

  func silenceDeadline(after lastArrival: Duration) -> Duration {
    lastArrival + (reportedState == .stale ? silenceLimit : timing.stale)
  }

  /// Reports stale data, then renews alternately the subscription, which repairs one that BlueZ dropped without a
  /// signal, and the link.
  mutating func evaluateSilence(since lastArrival: Duration, at now: Duration) {
    guard now >= lastArrival + timing.stale else { return }
    report(.stale, reason: "no data for \(timing.stale.components.seconds) s")
    guard now >= lastArrival + silenceLimit else { return }
    updateAttempts { $0.countRepair() }
    if attempts.repairs.isMultiple(of: 2) {
      reconnect(after: LinkFailure(kind: .transient, message: "connected, but no data"), at: now)
    } else {
      unsubscribe()
      subscribe(at: now)
    }
  }
}
