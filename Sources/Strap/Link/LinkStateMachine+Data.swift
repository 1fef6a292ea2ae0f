import HeartRate

// While data come, and when they do not.
extension LinkStateMachine {
  /// Data prove the subscription, even before the reply that announces it.
  mutating func noteArrival(at now: Duration) {
    guard state == .streaming || state == .subscribing else { return }
    lastArrival = now
    failures = 0
    repairs = 0
    lastFailure = nil
    guard state != .streaming || reported?.state != .connected else { return }
    hasStreamed = true
    enter(.streaming)
    report(.connected)
  }

  /// The link while subscribed: it may end, and its objects may be replaced.
  mutating func considerLink(at now: Duration) {
    guard isLinked else { return loseLink(at: now) }
    let path = world.sighting(of: target)?.measurement
    guard path != subscribedPath else { return }
    actions.append(.dropSubscription)
    if path == nil { resolve(at: now) } else { subscribe(at: now) }
  }

  private mutating func loseLink(at now: Duration) {
    let failure = lossFailure
    disconnectReason = nil
    actions.append(.dropSubscription)
    subscribedPath = nil
    lastFailure = failure
    if claimsLink { report(.lost, reason: failure.words) }
    if state == .subscribing { failures += 1 }
    rest(at: now)
  }

  /// Each repair without data is given twice the time of the one before.
  private var silenceLimit: Duration { timing.silence * (1 << min(repairs, 3)) }

  var silenceDeadline: Duration {
    lastArrival + (reported?.state == .stale ? silenceLimit : timing.stale)
  }

  /// Subscribing again mends a session that BlueZ dropped without a word; a new link mends the rest.
  mutating func considerSilence(at now: Duration) {
    guard now >= lastArrival + timing.stale else { return }
    report(.stale, reason: "no data for \(timing.stale.components.seconds) s")
    guard now >= lastArrival + silenceLimit else { return }
    repairs += 1
    if repairs.isMultiple(of: 2) {
      lastFailure = LinkFailure(kind: .transient, words: "connected, but no data")
      failures += 1
      actions.append(.dropSubscription)
      subscribedPath = nil
      report(.lost, reason: lastFailure?.words)
      disconnect(at: now)
    } else {
      actions.append(.dropSubscription)
      subscribe(at: now)
    }
  }
}
