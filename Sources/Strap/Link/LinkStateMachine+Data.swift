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
    unsubscribe()
    if path == nil { resolve(at: now) } else { subscribe(at: now) }
  }

  private mutating func loseLink(at now: Duration) {
    let failure = lossFailure
    disconnectReason = nil
    let before = failures
    note(failure)
    // A link that carried data has not failed: it is asked for at once.
    if state == .streaming { failures = before }
    if isLast(failure, at: now) { end(with: failure) } else { rest(at: now) }
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
      remake(after: LinkFailure(kind: .transient, words: "connected, but no data"), at: now)
    } else {
      unsubscribe()
      subscribe(at: now)
    }
  }
}
