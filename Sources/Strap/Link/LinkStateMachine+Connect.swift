import HeartRate

// From a strap that answers to its data.
extension LinkStateMachine {
  /// Stops this session's scan first, as it would break the set-up of the link.
  mutating func connect(at now: Duration) {
    if requests.contains(.discovery) { return enter(.stoppingScan(begin(.stopScan))) }
    guard let target, let sighting = snapshot.sighting(of: target) else { return backOff(at: now) }
    if sighting.found.isConnected { return resolve(at: now) }
    clearDisconnectReason()
    enter(.connecting(begin(.connect(target))))
  }

  /// Handles the reply of Connect. Success does not prove a link, and failure does not exclude one.
  mutating func connected(_ failure: LinkFailure?, at now: Duration) {
    if isLinked { return resolve(at: now) }
    switch failure?.kind {
    case nil: enter(.awaitingLink(until: now + timing.link))
    case .unanswered?: cancelConnect(at: now)
    case _?: failure.map { fail($0, at: now) }
    }
  }

  /// Disconnect cancels a pending Connect, which would make the next one fail.
  private mutating func cancelConnect(at now: Duration) {
    reconnect(after: LinkFailure(kind: .transient, message: "Connect was not answered"), at: now)
  }

  /// There is a link: waits for the object of 0x2A37.
  mutating func resolve(at now: Duration) { evaluateServices(since: now, at: now) }

  /// Subscribes once the object of 0x2A37 exists. `ServicesResolved` alone is not sufficient, since it becomes true even
  /// if discovery failed. An object from an earlier link may be exported during discovery, so it is confirmed by
  /// `ServicesResolved` or by time.
  mutating func evaluateServices(since: Duration, at now: Duration) {
    guard isLinked, let sighting = snapshot.sighting(of: target) else { return fail(lossFailure, at: now) }
    let (confirmation, end) = (since + timing.confirm, since + timing.resolve)
    let isConfirmed = sighting.servicesResolved || now >= confirmation
    if sighting.measurement != nil, isConfirmed { return subscribe(at: now) }
    guard now >= end else {
      return enter(.resolving(since: since, until: sighting.measurement == nil ? end : confirmation))
    }
    repair(after: LinkFailure(kind: .noHeartRate, message: "no characteristic 0x2A37 appeared"), at: now)
  }

  mutating func subscribe(at now: Duration) {
    guard let target else { return backOff(at: now) }
    setSubscribedPath(snapshot.sighting(of: target)?.measurement)
    let reminder = attempts.hasStreamed ? nil : now + timing.answer
    enter(.subscribing(begin(.subscribe(target)), reminder: reminder))
  }

  /// Without an agent, bluetoothd does not answer for a strap that requires a bond, and gives no reason.
  mutating func reportMissingAnswer(_ ticket: LinkState.Ticket) {
    enter(.subscribing(ticket, reminder: nil))
    let seconds = timing.answer.components.seconds
    report(.connecting, reason: "no answer for \(seconds) s; it may require pairing: stressmon pair")
  }

  /// Handles the reply of StartNotify. `InProgress` means that this client is already subscribed.
  mutating func subscribed(_ failure: LinkFailure?, at now: Duration) {
    switch failure?.kind {
    case nil, .busy?: stream(at: now)
    case .unanswered?: repair(after: failure ?? lossFailure, at: now)
    case _?: failure.map { fail($0, at: now) }
    }
  }

  private mutating func stream(at now: Duration) {
    updateAttempts { $0.streamed() }
    enter(.streaming(lastArrival: now))
    if reportedState != .stale { report(.connected) }
  }

  // MARK: Repairs

  /// Renews a link that does not work. A link that existed before the session may be in use by other programs, so at
  /// first only the subscription is renewed.
  private mutating func repair(after failure: LinkFailure, at now: Duration) {
    guard requests.contains(.link) || attempts.repairs > 0 else {
      updateAttempts { $0.countRepair() }
      return fail(failure, at: now)
    }
    reconnect(after: failure, at: now)
  }

  /// Ends the link, or a pending Connect, before the next attempt.
  mutating func reconnect(after failure: LinkFailure, at now: Duration) {
    record(failure)
    guard !attempts.givesUp(after: failure, at: now), let target else { return end(with: failure) }
    enter(.disconnecting(begin(.disconnect(target))))
  }

  /// Disconnect takes effect some time after its reply.
  mutating func disconnected(_ failure: LinkFailure?, at now: Duration) {
    if isLinked, failure == nil {
      enter(.awaitingLinkEnd(until: now + timing.disconnect))
    } else {
      backOff(at: now)
    }
  }

  var lossFailure: LinkFailure {
    LinkFailure(kind: .notConnected, message: disconnectReason ?? "the link ended")
  }
}
