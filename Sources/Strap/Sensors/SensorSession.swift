import DBus
import HeartRate
import Logging
import Platform

/// The sensor streams of one session: performs the actions of the ``SensorStreamMachine`` on the bus thread.
actor SensorSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  /// Receives what the streams produce, with the time of ``BootClock`` in nanoseconds. Called on the bus thread.
  struct Output: Sendable {
    var report: @Sendable (SensorStreamChange, Int64) -> Void
    var frame: @Sendable ([UInt8], Int64) -> Void
  }

  private struct Link {
    var client: BlueZClient
    var strap: StrapIdentity
  }

  private let startedAt: Int64
  private let output: Output
  private let logger: Logger
  private var machine: SensorStreamMachine
  private var link: Link?
  private var control: BusConnection?
  private var data: BusConnection?
  private var timer: (id: BusTimers.ID, due: Duration)?
  private var isOver = false
  private var hasReportedFirmware = false

  init(machine: SensorStreamMachine, startedAt: Int64, output: Output, logger: Logger) {
    self.machine = machine
    self.startedAt = startedAt
    self.output = output
    self.logger = logger
  }

  var isLinked: Bool { machine.isLinked }

  /// Begins the streams of a strap that is linked and sends its heart rate.
  func begin(_ client: BlueZClient, _ strap: StrapIdentity, at now: Int64) {
    guard !isOver, !machine.isLinked else { return }
    link = Link(client: client, strap: strap)
    handle(.linked, at: now)
  }

  /// The notifications of the strap contain no RR intervals.
  func intervalsAreMissing(at now: Int64) { handle(.intervalsMissing, at: now) }

  /// The link ended, and with it the streams.
  func linkEnded(at now: Int64) {
    guard machine.isLinked else { return }
    handle(.unlinked, at: now)
    close()
    link = nil
  }

  /// Reports once that the firmware of the strap is too old.
  func reportEarlierFirmware(at now: Int64) {
    guard !hasReportedFirmware else { return }
    hasReportedFirmware = true
    for stream in machine.wanted {
      output.report(
        SensorStreamChange(stream, .unavailable, reason: "the firmware of the strap is too old for it"), now)
    }
  }

  /// Delivers the frames that have already arrived.
  func dispatchPending() { data?.assumeIsolated { $0.dispatchPending() } }

  /// Stops the streams that this session started. Waits at most a few seconds for the strap.
  func end() async {
    guard !isOver else { return }
    isOver = true
    if let timer { BusExecutor.shared.cancel(timer.id) }
    if let link {
      for stream in machine.started.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
        await link.client.stopStream(stream, of: link.strap)
      }
    }
    close()
  }

  private func close() {
    for bus in [control, data] { bus?.assumeIsolated { $0.close() } }
    (control, data) = (nil, nil)
  }

  // MARK: The state machine

  private func handle(_ event: SensorStreamMachine.Event, at now: Int64 = BootClock.now()) {
    guard !isOver else { return }
    for action in machine.handle(event, at: elapsed(at: now)) {
      switch action {
      case .begin(let operation, let ticket): begin(operation, ticket)
      case .report(let change):
        logger.info("\(change.stream.name) \(change.state.rawValue)\(change.reason.map { ": \($0)" } ?? "")")
        output.report(change, now)
      }
    }
    updateTimer()
  }

  private func elapsed(at now: Int64) -> Duration { .nanoseconds(now - startedAt) }

  private func begin(_ operation: SensorStreamMachine.Operation, _ ticket: Int) {
    logger.debug("\(String(describing: operation))")
    Task {
      var (failure, value): (LinkFailure?, [UInt8]) = (nil, [])
      do throws(BusError) {
        value = try await run(operation)
      } catch {
        failure = LinkFailure(error)
        logger.debug("\(String(describing: operation)) failed: \(error)")
      }
      handle(.completed(ticket: ticket, failure, value: value))
    }
  }

  private func run(_ operation: SensorStreamMachine.Operation) async throws(BusError) -> [UInt8] {
    guard let link else { throw .closed }
    switch operation {
    case .subscribe: return [try await subscribe(link) ? 1 : 0]
    case .readFeatures: return try await link.client.readSensorFeatures(of: link.strap)
    case .write(let value):
      try await link.client.writeSensorControl(value, of: link.strap)
      return []
    }
  }

  /// - Returns: whether another program received the data before.
  private func subscribe(_ link: Link) async throws(BusError) -> Bool {
    close()
    let (control, data) = (BusConnection(), BusConnection())
    (self.control, self.data) = (control, data)
    let isShared = try await link.client.sensorsAreShared(of: link.strap)
    // The link may have ended meanwhile; the next one subscribes with new connections.
    guard self.data === data else { throw .closed }
    try await link.client.subscribe(toSensorsOf: link.strap, control: control, data: data) {
      [weak self] payload, arrival in
      self?.assumeIsolated { $0.handle(.response(payload), at: arrival) }
    } receive: { [weak self] payload, arrival in
      self?.assumeIsolated { $0.receive(payload, arrival: arrival) }
    }
    guard self.data === data else {
      for bus in [control, data] { await bus.close() }
      throw .closed
    }
    return isShared
  }

  private func receive(_ payload: [UInt8], arrival: Int64) {
    guard !isOver else { return }
    if let stream = SensorFrame.stream(of: payload) { handle(.frame(stream), at: arrival) }
    output.frame(payload, arrival)
  }

  /// Sets the timer to the state machine's next deadline; a timer that fires too early is set again.
  private func updateTimer() {
    guard let due = machine.nextDeadline, timer.map({ due < $0.due }) ?? true else { return }
    if let timer { BusExecutor.shared.cancel(timer.id) }
    let delay = max(.zero, due - elapsed(at: BootClock.now()))
    let id = BusExecutor.shared.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { $0.timerFired() }
    }
    timer = (id, due)
  }

  private func timerFired() {
    timer = nil
    handle(.tick)
  }
}
