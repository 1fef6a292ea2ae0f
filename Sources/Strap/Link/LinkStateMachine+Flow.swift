import HeartRate

// What each event means in each state.
extension LinkStateMachine {
  mutating func begin(_ operation: Operation, in state: State) {
    enter(state)
    ticket += 1
    isUnderWay = true
    if case .startScan = operation { mayBeScanning = true }
    actions.append(.begin(operation, ticket: ticket))
  }

  mutating func enter(_ state: State, until deadline: Duration? = nil) {
    self.state = state
    self.deadline = deadline
  }

  /// The operation under way has ended.
  mutating func complete(_ failure: LinkFailure?, at now: Duration) {
    switch state {
    case .attaching: attached(failure, at: now)
    case .scanning: scanStarted(failure, at: now)
    case .stoppingScan: scanStopped(at: now)
    case .connecting: connected(failure, at: now)
    case .subscribing, .streaming: subscribed(failure, at: now)
    case .disconnecting: disconnected(failure, at: now)
    case .idle, .awaitingService, .awaitingAdapter, .awaitingLink, .resolving, .resting, .ended: break
    }
  }

  mutating func considerWorld(at now: Duration) {
    if dependsOnAdapter, world.adapter != .ready { return loseAdapter(at: now) }
    switch state {
    case .awaitingAdapter where world.adapter == .ready: rest(at: now)
    case .scanning: choose(at: now)
    case .awaitingLink where isLinked: resolve(at: now)
    case .resting: considerRest(at: now)
    case .resolving: considerServices(at: now)
    case .subscribing, .streaming: considerLink(at: now)
    case .disconnecting where !isLinked: rest(at: now)
    default: break
    }
  }

  mutating func considerTime(at now: Duration) {
    if state == .streaming { return considerSilence(at: now) }
    guard let deadline, now >= deadline else { return }
    self.deadline = nil
    switch state {
    case .awaitingService: attach(startService: false)
    case .awaitingAdapter: giveUpOnAdapter(at: now)
    case .scanning: choose(at: now)
    case .awaitingLink:
      fail(LinkFailure(kind: .transient, words: "Connect was answered, but no link came"), at: now)
    case .resolving: considerServices(at: now)
    case .subscribing: considerSubscription()
    case .disconnecting: rest(at: now)
    case .resting: approach(at: now)
    default: break
    }
  }

  var isLinked: Bool { world.sighting(of: target)?.found.isConnected ?? false }

  private var dependsOnAdapter: Bool {
    switch state {
    case .idle, .attaching, .awaitingService, .awaitingAdapter, .ended: false
    default: true
    }
  }

  // MARK: Reports

  /// Reports a change once; a new reason for the same state is one.
  mutating func report(_ state: LinkChange.State, reason: String? = nil) {
    let change = LinkChange(state, strap: target, reason: reason)
    guard change != reported else { return }
    reported = change
    actions.append(.report(change))
  }

  /// Whether the last report leaves people to believe that there is a link.
  var claimsLink: Bool { reported?.state == .connected || reported?.state == .stale }

  // MARK: Failures

  /// An attempt failed: another one follows, unless it is the first connection that fails for good.
  mutating func fail(_ failure: LinkFailure, at now: Duration) {
    note(failure)
    if isLast(failure, at: now) { end(with: failure) } else { rest(at: now) }
  }

  /// What every failure means: the link, if there was one, carries nothing more.
  mutating func note(_ failure: LinkFailure) {
    failures += 1
    lastFailure = failure
    unsubscribe()
    if claimsLink { report(.lost, reason: failure.words) }
  }

  mutating func unsubscribe() {
    actions.append(.dropSubscription)
    subscribedPath = nil
  }

  /// Whether the first connection is given up: its time is over, or trying again would change nothing.
  func isLast(_ failure: LinkFailure, at now: Duration) -> Bool {
    guard !hasStreamed, let search = timing.search else { return false }
    return failure.isFinal || now - searchBeganAt >= search
  }

  /// Before the end, the events say why no link came about: `doctor` reads it there.
  mutating func end(with failure: LinkFailure) {
    if target != nil { report(.connecting, reason: failure.words) }
    end(StrapError(failure, target: target))
  }

  mutating func end(_ error: StrapError) {
    enter(.ended)
    actions.append(.fail(error))
  }

  /// Waits before the next attempt. A link that comes up meanwhile, late and unasked, ends the wait.
  mutating func rest(at now: Duration) {
    restBeganLinked = isLinked
    enter(.resting, until: now + backoff.delay(afterFailures: failures))
  }

  private mutating func considerRest(at now: Duration) {
    if !isLinked {
      restBeganLinked = false
    } else if !restBeganLinked {
      resolve(at: now)
    }
  }
}

extension LinkFailure {
  /// Whether trying again would change nothing.
  fileprivate var isFinal: Bool {
    switch kind {
    case .notifyAcquired, .needsPairing, .denied, .noHeartRate: true
    default: false
    }
  }
}

extension StrapError {
  init(_ failure: LinkFailure, target: StrapIdentity?) {
    let words = failure.words
    switch (failure.kind, target) {
    case (.noBus, _): self = .noBus(words)
    case (.noService, _): self = .noBluetoothd(words)
    case (.denied, _): self = .accessDenied(words)
    case (.needsPairing, let target?): self = .pairingNeeded(target, words)
    case (.notifyAcquired, let target?): self = .notifyAcquired(target, words)
    case (.noHeartRate, let target?): self = .noHeartRate(target)
    case (.unanswered, let target?): self = .subscribeFailed(target, words)
    case (_, let target?): self = .connectFailed(target, words)
    case (.unanswered, nil): self = .noBluetoothd(words)
    case (_, nil): self = .unexpected(words)
    }
  }
}
