import HeartRate

// From the bus to a strap that answers.
extension LinkStateMachine {
  mutating func attach(startService: Bool) {
    enter(.attaching(begin(.attach(startService: startService))))
  }

  mutating func attached(_ failure: LinkFailure?, at now: Duration) {
    if let failure { return awaitService(failure, at: now) }
    updateAttempts { $0.attached() }
    approach(at: now)
  }

  mutating func awaitService(_ failure: LinkFailure, at now: Duration) {
    updateAttempts { $0.remember(failure) }
    if attempts.givesUpOnService(at: now) { return end(with: failure) }
    report(.searching, reason: failure.message)
    updateAttempts { $0.countFailure() }
    enter(.awaitingService(until: now + nextDelay()))
  }

  // MARK: The adapter

  /// The discovery and the subscription end with the adapter.
  mutating func loseAdapter(at now: Duration) {
    discoveryEnded()
    reportLoss(reason: adapterProblem?.problem)
    awaitAdapter(at: now)
  }

  private mutating func awaitAdapter(at now: Duration) {
    enter(.awaitingAdapter(until: now + timing.adapterGrace))
  }

  mutating func adapterTimedOut(at now: Duration) {
    guard let problem = adapterProblem else { return backOff(at: now) }
    if attempts.canGiveUp { return end(problem) }
    enter(.awaitingAdapter(until: nil))
    report(.searching, reason: problem.problem)
  }

  private var adapterProblem: StrapError? { snapshot.adapterProblem(requested: adapter) }

  // MARK: The strap

  /// Begins the next attempt: uses an existing link, connects directly to a known strap (which succeeds as soon as the
  /// strap returns), and after every second failure, or for an unknown strap, scans.
  mutating func approach(at now: Duration) {
    guard snapshot.adapter == .ready else { return awaitAdapter(at: now) }
    if target == nil { adoptUniqueLink() }
    guard let target, let sighting = snapshot.sighting(of: target) else { return scan(at: now) }
    if sighting.found.isConnected { return resolve(at: now) }
    if attempts.failures.isMultiple(of: 2) { connect(at: now) } else { scan(at: now) }
  }

  /// A linked strap does not advertise, so a scan would not find it.
  private mutating func adoptUniqueLink() {
    guard case .one(let found) = StrapChoice(selection, among: snapshot.found), selection.prefers(found),
      found.isConnected
    else { return }
    select(found.strap)
  }

  private mutating func scan(at now: Duration) {
    report(.searching, reason: attempts.lastFailure?.message)
    enter(.scanning(LinkScan(startedAt: now, pendingStart: begin(.startScan(wide: false)))))
  }

  /// `InProgress` means that this client's discovery already runs. A wide scan that fails leaves the narrow one active.
  mutating func scanStarted(_ scan: LinkScan, _ failure: LinkFailure?, at now: Duration) {
    if let failure, failure.kind != .busy, !scan.isWide { return fail(failure, at: now) }
    var scan = scan
    scan.pendingStart = nil
    updateAttempts { if $0.scanStarted(at: now) { scan.startedAt = now } }
    enter(.scanning(scan))
    evaluate(scan, at: now)
  }

  private mutating func stopScan() { enter(.stoppingScan(begin(.stopScan))) }

  /// After any answer to StopDiscovery, this client has no discovery.
  mutating func scanStopped(at now: Duration) {
    discoveryEnded()
    connect(at: now)
  }

  /// Evaluates the devices found. Does nothing before StartDiscovery is answered, as StopDiscovery might overtake it.
  mutating func evaluate(_ scan: LinkScan, at now: Duration) {
    guard scan.pendingStart == nil else { return }
    let wanted = target.map { StrapSelection.address($0.address) } ?? selection
    let isSettled = now >= scan.startedAt + timing.settle
    switch StrapChoice(wanted, among: snapshot.found) {
    case .one(let found) where isSettled || wanted.prefers(found):
      select(found.strap)
      report(.connecting)
      stopScan()
    case .several(let found) where isSettled: end(.ambiguous(selection, found))
    case .one, .several, .none: continueScan(scan, at: now)
    }
  }

  private mutating func continueScan(_ scan: LinkScan, at now: Duration) {
    guard now < end(of: scan) else { return scanTimedOut() }
    var scan = scan
    if !scan.isWide, now >= scan.startedAt + timing.narrowScan {
      scan.isWide = true
      scan.pendingStart = begin(.startScan(wide: true))
    }
    scan.deadline = [scan.startedAt + timing.settle, scan.startedAt + timing.narrowScan, end(of: scan)]
      .first { $0 > now }
    enter(.scanning(scan))
  }

  private mutating func scanTimedOut() {
    if target == nil, attempts.canGiveUp { return end(.notFound(selection, seen: snapshot.candidates)) }
    updateAttempts { $0.countFailure() }
    stopScan()
  }

  private func end(of scan: LinkScan) -> Duration {
    guard target == nil, let end = attempts.searchEnd else { return scan.startedAt + timing.scanWindow }
    return end
  }
}
