import HeartRate

// From a strap that answers to its data.
extension LinkStateMachine {
  /// Not while a scan of ours runs, which would break the set-up of the link.
  mutating func connect(at now: Duration) {
    if mayBeScanning { return begin(.stopScan, in: .stoppingScan) }
    guard let target, let sighting = world.sighting(of: target) else { return rest(at: now) }
    if sighting.found.isConnected { return resolve(at: now) }
    disconnectReason = nil
    askedForLink = true
    begin(.connect(target), in: .connecting)
  }

  /// The reply of Connect. Success does not prove a link, and failure does not exclude one.
  mutating func connected(_ failure: LinkFailure?, at now: Duration) {
    if isLinked { return resolve(at: now) }
    switch failure?.kind {
    case nil: enter(.awaitingLink, until: now + timing.link)
    case .unanswered?: cancelConnect(at: now)
    case _?: failure.map { fail($0, at: now) }
    }
  }

  /// Disconnect ends a Connect that is still pending, which the next one would run into.
  private mutating func cancelConnect(at now: Duration) {
    remake(after: LinkFailure(kind: .transient, words: "Connect was not answered"), at: now)
  }

  /// There is a link: wait for what it is wanted for.
  mutating func resolve(at now: Duration) {
    resolvingSince = now
    enter(.resolving, until: now + timing.resolve)
    considerServices(at: now)
  }

  /// What counts is the object of 0x2A37, not `ServicesResolved`, which becomes true even if discovery failed.
  /// An object from before may be exported while discovery goes on; it gets a moment to be confirmed.
  mutating func considerServices(at now: Duration) {
    guard isLinked, let sighting = world.sighting(of: target) else {
      return fail(lossFailure, at: now)
    }
    let confirmed = sighting.servicesResolved || now >= resolvingSince + timing.confirm
    if sighting.measurement != nil, confirmed { return subscribe(at: now) }
    let end = resolvingSince + timing.resolve
    guard now >= end else {
      deadline = sighting.measurement == nil ? end : resolvingSince + timing.confirm
      return
    }
    repair(after: LinkFailure(kind: .noHeartRate, words: "no characteristic 0x2A37 appeared"), at: now)
  }

  mutating func subscribe(at now: Duration) {
    guard let target else { return rest(at: now) }
    subscribedPath = world.sighting(of: target)?.measurement
    begin(.subscribe(target), in: .subscribing)
    if !hasStreamed { deadline = now + timing.answer }
  }

  /// Without an agent bluetoothd never answers for a strap that wants a bond, and gives no reason: whoever waits may
  /// know it.
  mutating func considerSubscription() {
    let seconds = timing.answer.components.seconds
    report(.connecting, reason: "no answer for \(seconds) s; it may want to be paired: stressmon pair")
  }

  /// The reply of StartNotify, which data may have preceded. `InProgress` says that our session exists.
  mutating func subscribed(_ failure: LinkFailure?, at now: Duration) {
    guard state == .subscribing else { return }
    switch failure?.kind {
    case nil, .busy?: stream(at: now)
    case .unanswered?: repair(after: failure ?? lossFailure, at: now)
    case _?: failure.map { fail($0, at: now) }
    }
  }

  private mutating func stream(at now: Duration) {
    lastArrival = now
    hasStreamed = true
    enter(.streaming)
    if reported?.state != .stale { report(.connected) }
  }

  /// The link is of no use as it is: end it, and make another. One that was there before us may be used by
  /// others, so the first time it is only subscribed to again.
  private mutating func repair(after failure: LinkFailure, at now: Duration) {
    guard askedForLink || repairs > 0 else {
      repairs += 1
      return fail(failure, at: now)
    }
    remake(after: failure, at: now)
  }

  /// Ends the link, or the attempt at one, before the next.
  mutating func remake(after failure: LinkFailure, at now: Duration) {
    note(failure)
    guard !isLast(failure, at: now), let target else { return end(with: failure) }
    askedForLink = true
    begin(.disconnect(target), in: .disconnecting)
  }

  /// Disconnect takes effect some time after its reply.
  mutating func disconnected(_ failure: LinkFailure?, at now: Duration) {
    if isLinked, failure == nil {
      enter(.disconnecting, until: now + timing.disconnect)
    } else {
      rest(at: now)
    }
  }

  var lossFailure: LinkFailure {
    LinkFailure(kind: .notConnected, words: disconnectReason ?? "the link ended")
  }
}
