import HeartRate

// From nothing to a strap that answers.
extension LinkStateMachine {
  mutating func attach(startService: Bool) {
    begin(.attach(startService: startService), in: .attaching)
  }

  mutating func attached(_ failure: LinkFailure?, at now: Duration) {
    if let failure { return awaitService(failure, at: now) }
    hasAttached = true
    approach(at: now)
  }

  /// Everything that BlueZ knew of us is gone: objects, scan, subscription.
  mutating func detach(_ failure: LinkFailure, at now: Duration) {
    world = LinkWorld()
    mayBeScanning = false
    unsubscribe()
    if claimsLink { report(.lost, reason: failure.words) }
    isUnderWay = false
    awaitService(failure, at: now)
  }

  private mutating func awaitService(_ failure: LinkFailure, at now: Duration) {
    lastFailure = failure
    // A bluetoothd that was there and crashed may be started again.
    if !hasStreamed, let search = timing.search, !hasAttached || now - searchBeganAt >= search {
      return end(with: failure)
    }
    report(.searching, reason: failure.words)
    failures += 1
    enter(.awaitingService, until: now + backoff.delay(afterFailures: failures))
  }

  // MARK: The adapter

  mutating func loseAdapter(at now: Duration) {
    mayBeScanning = false
    unsubscribe()
    isUnderWay = false
    if claimsLink { report(.lost, reason: adapterProblem?.problem) }
    awaitAdapter(at: now)
  }

  private mutating func awaitAdapter(at now: Duration) {
    enter(.awaitingAdapter, until: now + timing.adapterGrace)
  }

  mutating func giveUpOnAdapter(at now: Duration) {
    guard let problem = adapterProblem else { return rest(at: now) }
    if !hasStreamed, timing.search != nil { return end(problem) }
    report(.searching, reason: problem.problem)
  }

  private var adapterProblem: StrapError? { world.adapterProblem(wanted: adapter) }

  // MARK: The strap

  /// The next attempt: a link that is there is adopted; a known strap is asked directly, which reaches it as
  /// soon as it comes back, and every second time looked for; an unknown one is looked for.
  mutating func approach(at now: Duration) {
    guard world.adapter == .ready else { return awaitAdapter(at: now) }
    if target == nil { adoptUniqueLink() }
    guard let target, let sighting = world.sighting(of: target) else { return scan(at: now) }
    if sighting.found.isConnected { return resolve(at: now) }
    if failures.isMultiple(of: 2) { connect(at: now) } else { scan(at: now) }
  }

  /// A strap that is linked already does not advertise, so no scan would find it.
  private mutating func adoptUniqueLink() {
    guard case .one(let found) = StrapChoice(selection, among: world.found), selection.prefers(found),
      found.isConnected
    else { return }
    target = found.strap
  }

  private mutating func scan(at now: Duration) {
    report(.searching, reason: lastFailure?.words)
    scanStartedAt = now
    scanIsWide = false
    begin(.startScan(wide: false), in: .scanning)
  }

  /// `InProgress` says that our own discovery runs already, which is what was asked for.
  mutating func scanStarted(_ failure: LinkFailure?, at now: Duration) {
    if let failure, failure.kind != .busy, !scanIsWide { return fail(failure, at: now) }
    if !hasScanned {
      hasScanned = true
      searchBeganAt = now
      scanStartedAt = now
    }
    choose(at: now)
  }

  /// Whatever the answer was, no discovery of ours is left.
  mutating func scanStopped(at now: Duration) {
    mayBeScanning = false
    connect(at: now)
  }

  /// Looks at what the scan has brought; not while it is being started, or the order to stop might overtake.
  mutating func choose(at now: Duration) {
    guard !isUnderWay else { return }
    let wanted = target.map { StrapSelection.address($0.address) } ?? selection
    let isSettled = now >= scanStartedAt + timing.settle
    switch StrapChoice(wanted, among: world.found) {
    case .one(let found) where isSettled || wanted.prefers(found):
      target = found.strap
      report(.connecting)
      begin(.stopScan, in: .stoppingScan)
    case .several(let found) where isSettled: end(.ambiguous(selection, found))
    case .one, .several, .none: continueScan(at: now)
    }
  }

  private mutating func continueScan(at now: Duration) {
    if now >= scanEnd {
      if target == nil, timing.search != nil { return end(.notFound(selection, seen: world.candidates)) }
      failures += 1
      return begin(.stopScan, in: .stoppingScan)
    }
    if !scanIsWide, now >= scanStartedAt + timing.narrowScan {
      scanIsWide = true
      begin(.startScan(wide: true), in: .scanning)
    }
    deadline = [scanStartedAt + timing.settle, scanStartedAt + timing.narrowScan, scanEnd].first { $0 > now }
  }

  private var scanEnd: Duration {
    guard target == nil, let search = timing.search else { return scanStartedAt + timing.scanWindow }
    return searchBeganAt + search
  }
}

extension LinkWorld {
  var found: [FoundStrap] { sightings.map(\.found) }

  /// Those heard that could be straps, to be named to a person.
  var candidates: [FoundStrap] {
    found.filter { $0.isAnswering && ($0.hasHeartRate || $0.isCalledLikeAStrap) }
  }
}
