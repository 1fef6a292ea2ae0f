import HeartRate

// The meaning of each event in each state.
extension LinkStateMachine {
  mutating func handleCompletion(of ticket: Int, _ failure: LinkFailure?, at now: Duration) {
    switch state {
    case .attaching(ticket): attached(failure, at: now)
    case .scanning(let scan) where scan.pendingStart == ticket: scanStarted(scan, failure, at: now)
    case .stoppingScan(ticket): scanStopped(at: now)
    case .connecting(ticket): connected(failure, at: now)
    case .subscribing(ticket, _): subscribed(failure, at: now)
    case .disconnecting(ticket): disconnected(failure, at: now)
    default: break
    }
  }

  mutating func evaluateSnapshot(at now: Duration) {
    if state.needsAdapter, snapshot.adapter != .ready { return loseAdapter(at: now) }
    switch state {
    case .awaitingAdapter where snapshot.adapter == .ready: backOff(at: now)
    case .scanning(let scan): evaluate(scan, at: now)
    case .awaitingLink where isLinked: resolve(at: now)
    case .backingOff(let until, let ignoresLink): evaluateBackOff(until, ignoresLink, at: now)
    case .resolving(let since, _): evaluateServices(since: since, at: now)
    case .subscribing, .streaming: evaluateLink(at: now)
    case .disconnecting where !isLinked, .awaitingLinkEnd where !isLinked: backOff(at: now)
    default: break
    }
  }

  mutating func handleTick(at now: Duration) {
    if case .streaming(let lastArrival) = state { return evaluateSilence(since: lastArrival, at: now) }
    guard let deadline = state.deadline, now >= deadline else { return }
    switch state {
    case .awaitingService: attach(startService: false)
    case .awaitingAdapter: adapterTimedOut(at: now)
    case .scanning(var scan):
      scan.deadline = nil
      enter(.scanning(scan))
      evaluate(scan, at: now)
    case .awaitingLink:
      fail(LinkFailure(kind: .transient, message: "Connect succeeded, but no link followed"), at: now)
    case .resolving(let since, _): evaluateServices(since: since, at: now)
    case .subscribing(let ticket, _): reportMissingAnswer(ticket)
    case .awaitingLinkEnd: backOff(at: now)
    case .backingOff: approach(at: now)
    case .idle, .attaching, .stoppingScan, .connecting, .streaming, .disconnecting, .ended: break
    }
  }

  // MARK: Failures

  /// Handles a failed attempt: a retry follows, unless the session gives up.
  mutating func fail(_ failure: LinkFailure, at now: Duration) {
    record(failure)
    backOff(after: failure, at: now)
  }

  mutating func record(_ failure: LinkFailure) {
    updateAttempts {
      $0.countFailure()
      $0.remember(failure)
    }
    reportLoss(reason: failure.message)
  }

  mutating func backOff(after failure: LinkFailure, at now: Duration) {
    if attempts.givesUp(after: failure, at: now) { end(with: failure) } else { backOff(at: now) }
  }

  /// Waits before the next attempt. A link that appears meanwhile, late and unrequested, ends the back-off.
  mutating func backOff(at now: Duration) {
    enter(.backingOff(until: now + nextDelay(), ignoresLink: isLinked))
  }

  private mutating func evaluateBackOff(_ until: Duration, _ ignoresLink: Bool, at now: Duration) {
    if !isLinked {
      enter(.backingOff(until: until, ignoresLink: false))
    } else if !ignoresLink {
      resolve(at: now)
    }
  }

  mutating func nextDelay() -> Duration {
    var delay = Duration.zero
    updateAttempts { delay = $0.nextDelay() }
    return delay
  }
}
