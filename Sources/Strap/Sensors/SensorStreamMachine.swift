import HeartRate

/// Starts and stops the sensor streams of a linked strap: a value that receives events and returns actions.
///
/// Like ``LinkStateMachine`` it uses no clock, bus or radio. At most one operation is under way. A failure never affects the
/// link or the heart rate: the stream is reported as unavailable.
///
/// The order is that of Polar's documentation: subscribe to both characteristics, read the features, then for each stream
/// request the settings and start. Streams without a receiver on this machine may have been left by a program that was
/// killed: the strap would send until its battery is empty, so they are stopped first.
struct SensorStreamMachine: Sendable {
  enum Event: Equatable, Sendable {
    /// The strap is linked and sends its heart rate.
    case linked
    case unlinked
    /// The notifications of the strap contain no RR intervals, or smoothed ones.
    case intervalsMissing
    /// An operation ended. The value of a read; 1 for a subscription if another program receives the data, else 0.
    case completed(ticket: Int, LinkFailure?, value: [UInt8])
    /// An indication of the control point.
    case response([UInt8])
    /// A frame arrived.
    case frame(SensorStream)
    case tick
  }

  enum Operation: Equatable, Sendable {
    /// Subscribes to the control point and to the data.
    case subscribe
    case readFeatures
    case write([UInt8])
  }

  enum Action: Equatable, Sendable {
    case begin(Operation, ticket: Int)
    case report(SensorStreamChange)
  }

  enum State: Equatable, Sendable {
    case unlinked
    case subscribing(ticket: Int)
    case reading(ticket: Int)
    case requesting(SensorRequest, ticket: Int, Progress, until: Duration)
    case running
    /// Waits before it subscribes again.
    case backingOff(until: Duration)
    /// No stream is possible on this link.
    case unavailable
  }

  /// The parts of a request that are done; both are required before the next one.
  struct Progress: Equatable, Sendable {
    var isWritten = false
    var response: SensorResponse?
  }

  let timing: SensorTiming
  private(set) var state = State.unlinked
  /// The streams to start. PPI is included once RR intervals are missing.
  private(set) var wanted: [SensorStream]
  /// Whether PPI replaces missing and smoothed RR intervals.
  private let replacesIntervals: Bool
  /// The streams that the strap provides, once they are read on this link.
  private var features: SensorFeatures?
  /// The streams that this program started, with the time of their last frame or start. They are stopped with the session.
  private(set) var started: [SensorStream: Duration] = [:]
  /// Whether another program on this machine receives the data.
  private var isShared = false
  private var requests: [SensorRequest] = []
  private var retried: Set<SensorStream> = []
  private var attempts = 0
  private var jointStart: Duration?
  private var jointLosses = 0
  private var reported: [SensorStream: SensorStreamChange] = [:]
  private var lastTicket = 0
  private var actions: [Action] = []

  init(wanted: [SensorStream], timing: SensorTiming = SensorTiming()) {
    self.wanted = wanted.filter { $0 != .ppi }
    replacesIntervals = wanted.contains(.ppi)
    self.timing = timing
  }

  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    switch event {
    case .linked: link(at: now)
    case .unlinked: unlink(at: now)
    case .intervalsMissing: replaceIntervals(at: now)
    case .completed(let ticket, let failure, let value): complete(ticket, failure, value, at: now)
    case .response(let payload): receive(payload, at: now)
    case .frame(let stream): if started[stream] != nil { started[stream] = now }
    case .tick: tick(at: now)
    }
    guard !actions.isEmpty else { return [] }
    defer { actions = [] }
    return actions
  }

  /// When a `tick` is due, unless another event arrives before.
  var nextDeadline: Duration? {
    switch state {
    case .requesting(_, _, _, let until), .backingOff(let until): until
    case .running: started.values.min().map { $0 + timing.silence }
    case .unlinked, .subscribing, .reading, .unavailable: nil
    }
  }

  var isLinked: Bool { state != .unlinked }

  // MARK: The link

  private mutating func link(at now: Duration) {
    guard state == .unlinked, !wanted.isEmpty || replacesIntervals else { return }
    (attempts, retried) = (0, [])
    subscribe()
  }

  private mutating func subscribe() { state = .subscribing(ticket: begin(.subscribe)) }

  /// The end of a link ends the streams. Two early losses while acceleration and ECG run together: the ECG, which was
  /// requested explicitly, continues alone.
  private mutating func unlink(at now: Duration) {
    if let jointStart, now - jointStart < timing.jointLoss { jointLosses += 1 }
    if jointLosses >= 2, wanted.contains(.ecg) {
      wanted.removeAll { $0 == .acceleration }
      report(
        SensorStreamChange(.acceleration, .unavailable, reason: "the link fails while the ECG runs as well"))
    }
    for stream in started.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      report(SensorStreamChange(stream, .stopped))
    }
    (started, requests, jointStart, features) = ([:], [], nil, nil)
    state = .unlinked
  }

  // MARK: Operations

  private mutating func begin(_ operation: Operation) -> Int {
    lastTicket += 1
    actions.append(.begin(operation, ticket: lastTicket))
    return lastTicket
  }

  private mutating func complete(
    _ ticket: Int, _ failure: LinkFailure?, _ value: [UInt8], at now: Duration
  ) {
    switch state {
    case .subscribing(ticket): subscribed(failure, value, at: now)
    case .reading(ticket): read(failure, value, at: now)
    case .requesting(let request, ticket, var progress, let until):
      if let failure { return finish(request, failure: failure.message, at: now) }
      progress.isWritten = true
      state = .requesting(request, ticket: ticket, progress, until: until)
      evaluate(at: now)
    default: break
    }
  }

  private mutating func subscribed(_ failure: LinkFailure?, _ value: [UInt8], at now: Duration) {
    guard let failure else {
      isShared = value == [1]
      state = .reading(ticket: begin(.readFeatures))
      return
    }
    refuse(failure, at: now)
  }

  /// A strap that requires pairing is reported; any other failure is retried with back-off.
  private mutating func refuse(_ failure: LinkFailure, at now: Duration) {
    attempts += 1
    switch failure.kind {
    case .needsPairing: giveUp("the strap sends it only after pairing: stressmon pair")
    case .notifyAcquired: giveUp("another program has exclusive access to it")
    case _ where attempts >= timing.attempts: giveUp(failure.message)
    case _: state = .backingOff(until: now + timing.backoff * attempts)
    }
  }

  private mutating func giveUp(_ reason: String) {
    for stream in wanted { report(SensorStreamChange(stream, .unavailable, reason: reason)) }
    state = .unavailable
  }

  private mutating func read(_ failure: LinkFailure?, _ value: [UInt8], at now: Duration) {
    if let failure { return refuse(failure, at: now) }
    features = try? SensorFeatures(payload: value)
    let offered = wanted.filter(isOffered)
    for stream in wanted where !offered.contains(stream) && stream != .ppi {
      report(SensorStreamChange(stream, .unavailable, reason: "the strap does not provide it"))
    }
    if !isShared {
      requests = SensorStream.allCases.filter(isOffered).map { .stop($0) }
    }
    requests += offered.map(Self.firstRequest)
    next(at: now)
  }

  /// Whether the strap provides a stream. Without features, PPI is not requested.
  private func isOffered(_ stream: SensorStream) -> Bool { features?.contains(stream) ?? (stream != .ppi) }

  /// PPI has no settings.
  private static func firstRequest(_ stream: SensorStream) -> SensorRequest {
    stream == .ppi ? .start(stream, SensorSettings()) : .settings(stream)
  }

  /// Starts PPI, now or once the features are read.
  private mutating func replaceIntervals(at now: Duration) {
    guard replacesIntervals, !wanted.contains(.ppi) else { return }
    wanted.append(.ppi)
    switch state {
    case .requesting where isOffered(.ppi): requests.append(Self.firstRequest(.ppi))
    case .running where isOffered(.ppi):
      requests.append(Self.firstRequest(.ppi))
      next(at: now)
    case .unlinked, .subscribing, .reading, .requesting, .running, .backingOff, .unavailable: break
    }
  }

  private mutating func tick(at now: Duration) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    switch state {
    case .requesting(let request, _, _, _): finish(request, failure: nil, at: now)
    case .backingOff: subscribe()
    case .running: restartSilent(at: now)
    case .unlinked, .subscribing, .reading, .unavailable: break
    }
  }

  /// Starts streams again that send no frames.
  private mutating func restartSilent(at now: Duration) {
    for (stream, last) in started.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where now >= last + timing.silence {
      report(
        SensorStreamChange(stream, .stopped, reason: "no data for \(timing.silence.components.seconds) s"))
      started[stream] = now
      requests += [.stop(stream), Self.firstRequest(stream)]
    }
    next(at: now)
  }
}

// MARK: - Requests

extension SensorStreamMachine {
  /// Sends the next request; without one, the streams run.
  mutating func next(at now: Duration) {
    guard !requests.isEmpty else {
      state = .running
      if started.count > 1, jointStart == nil { jointStart = now }
      return
    }
    let request = requests.removeFirst()
    if case .start(let stream, _) = request { started[stream] = now }
    let ticket = begin(.write(request.encoded))
    state = .requesting(request, ticket: ticket, Progress(), until: now + timing.response)
  }

  private mutating func receive(_ payload: [UInt8], at now: Duration) {
    guard case .requesting(let request, let ticket, var progress, let until) = state,
      let response = try? SensorResponse(payload: payload), response.answers(request)
    else { return }
    progress.response = response
    state = .requesting(request, ticket: ticket, progress, until: until)
    evaluate(at: now)
  }

  /// Continues once the request is written and answered. BlueZ runs one GATT operation at a time.
  private mutating func evaluate(at now: Duration) {
    guard case .requesting(let request, _, let progress, _) = state, progress.isWritten,
      let response = progress.response
    else { return }
    switch request {
    case .settings(let stream): start(stream, response)
    case .start(let stream, let settings): started(stream, settings, response, at: now)
    case .stop: break
    }
    next(at: now)
  }

  private mutating func start(_ stream: SensorStream, _ response: SensorResponse) {
    if let error = response.error { return refuse(stream, error.reason) }
    let offered = try? OfferedSettings(parameters: response.parameters)
    let settings = offered?.selected(for: stream) ?? .defaults(for: stream)
    requests.insert(.start(stream, settings), at: 0)
  }

  /// A stream that already runs belongs to another program, or was left by one that was killed; then it is started again.
  private mutating func started(
    _ stream: SensorStream, _ settings: SensorSettings, _ response: SensorResponse, at now: Duration
  ) {
    switch response.error {
    case nil:
      var settings = settings
      let stated = try? OfferedSettings(parameters: response.parameters)
      settings.factor = stated?.factor ?? settings.factor
      settings.channels = nil
      report(SensorStreamChange(stream, .started, settings: settings))
    case .alreadyInState? where isShared:
      started[stream] = nil
      report(SensorStreamChange(stream, .started, reason: "started by another program"))
    case .alreadyInState? where retried.insert(stream).inserted:
      requests.insert(contentsOf: [.stop(stream), .start(stream, settings)], at: 0)
    case let error?: refuse(stream, error.reason)
    }
  }

  private mutating func refuse(_ stream: SensorStream, _ reason: String) {
    started[stream] = nil
    report(SensorStreamChange(stream, .unavailable, reason: reason))
  }

  /// Handles a request that failed or was not answered in time. A start may take 30 s, so it counts as done without an
  /// answer.
  private mutating func finish(_ request: SensorRequest, failure: String?, at now: Duration) {
    switch (request, failure) {
    case (.stop, _): break
    case (.settings(let stream), nil): requests.insert(.start(stream, .defaults(for: stream)), at: 0)
    case (.start(let stream, let settings), nil):
      report(SensorStreamChange(stream, .started, settings: settings, reason: "not confirmed by the strap"))
    case (_, let failure?): refuse(request.stream, failure)
    }
    next(at: now)
  }

  /// Reports a change once.
  private mutating func report(_ change: SensorStreamChange) {
    guard reported[change.stream] != change else { return }
    reported[change.stream] = change
    actions.append(.report(change))
  }
}
