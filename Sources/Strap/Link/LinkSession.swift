import DBus
import HeartRate
import Logging
import Platform

/// One session with a strap: performs the actions of the ``LinkStateMachine`` on the bus thread.
actor LinkSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  /// Where the session finds the strap.
  struct Configuration: Sendable {
    /// `hci0` or the adapter's address. By default, the first adapter that is on.
    var adapter: String?
    /// The default is the system bus.
    var busAddress: String?
    var radio: RadioArbiter
    var logger: Logger
    /// Called once, with the details read after the first subscription.
    var onDetails: @Sendable (StrapDetails) -> Void
    /// The sensor streams to start.
    var streams: [SensorStream] = []
    /// Whether the electrocardiogram verifies the beats of the session.
    var verifiesBeats = false
    var sensorTiming = SensorTiming()
  }

  private enum Details { case unread, reading, read }

  private let configuration: Configuration
  private let startedAt: Int64
  private var logger: Logger { configuration.logger }
  private var machine: LinkStateMachine
  private var events: SessionEventWriter
  private var client: BlueZClient?
  private var subscription: BusConnection?
  private var timer: (id: BusTimers.ID, due: Duration)?
  private var throttle = EvaluationThrottle()
  private var evaluation: BusTimers.ID?
  private var battery: BatteryLevel?
  private var details = Details.unread
  private var sensors: SensorSession?
  private var missingIntervals = MissingIntervals()
  private var isOver = false

  init(machine: LinkStateMachine, events: StrapEventQueue, _ configuration: Configuration) {
    self.machine = machine
    self.configuration = configuration
    startedAt = SystemClock.boot
    self.events = SessionEventWriter(queue: events, startedAt: startedAt)
  }

  func start() {
    if !configuration.streams.isEmpty { sensors = makeSensors() }
    handle(.start)
  }

  /// Undoes what the session began: the sensor streams are stopped, the scan and the subscription end with their connections, and the link ends if the
  /// session requested it.
  func end() async {
    guard !isOver else { return }
    isOver = true
    if let timer { BusExecutor.shared.cancel(timer.id) }
    if let evaluation { BusExecutor.shared.cancel(evaluation) }
    dropSubscription()
    await sensors?.end()
    if let client {
      await configuration.radio.forget(client)
      if machine.requests.contains(.discovery) { await client.stopDiscovery() }
      // bluetoothd replies once the link has ended, after about 2 s. A program that uses the strap before that, such as
      // `stressmon pair`, gets no reply from bluetoothd to its own call.
      if let strap = machine.linkToUndo { try? await client.disconnect(strap) }
      await client.close()
    }
    client = nil
    events.finish()
  }

  // MARK: The state machine

  /// Handles an event after all notifications that have already arrived: bluetoothd's signal that the link has ended may
  /// overtake the last notifications, which arrive by another connection, and after a suspend the timers are due while
  /// data wait to be read.
  private func handle(_ event: LinkStateMachine.Event) {
    guard !isOver else { return }
    subscription?.assumeIsolated { $0.dispatchPending() }
    sensors?.assumeIsolated { $0.dispatchPending() }
    handle(event, at: SystemClock.boot)
  }

  /// Times never decrease, because all consequences of an event have the event's time.
  private func handle(_ event: LinkStateMachine.Event, at now: Int64) {
    guard !isOver else { return }
    for action in machine.handle(event, at: events.elapsed(at: now)) { perform(action, at: now) }
    updateTimer()
    if event != .notification { updateSensors(at: now) }
  }

  private func perform(_ action: LinkStateMachine.Action, at now: Int64) {
    switch action {
    case .begin(let operation, let ticket): begin(operation, ticket)
    case .dropSubscription: dropSubscription()
    case .report(let change): report(change, at: now)
    case .fail(let error):
      logger.info("\(error.problem)")
      events.finish(.failure(error))
    }
  }

  private func begin(_ operation: LinkStateMachine.Operation, _ ticket: Int) {
    logger.debug("\(String(describing: operation))")
    Task {
      let failure: LinkFailure?
      do throws(LinkFailure) {
        try await run(operation)
        failure = nil
      } catch {
        failure = error
        logger.debug("\(String(describing: operation)) failed: \(error.message)")
      }
      handle(.completed(ticket: ticket, failure))
    }
  }

  private func run(_ operation: LinkStateMachine.Operation) async throws(LinkFailure) {
    if case .attach(let startService) = operation { return try await attach(startService: startService) }
    do throws(BusError) {
      switch operation {
      case .attach: break
      case .startScan(let wide): try await startScan(wide: wide)
      case .stopScan: try await configuration.radio.stopDiscovery(attached)
      case .connect(let strap): try await configuration.radio.connect(strap, attached)
      case .subscribe(let strap): try await subscribe(to: strap)
      case .disconnect(let strap): try await attached.disconnect(strap)
      }
    } catch {
      throw LinkFailure(error)
    }
  }

  private func startScan(wide: Bool) async throws(BusError) {
    try await configuration.radio.startDiscovery(attached, wide: wide) { [weak self] in
      self?.assumeIsolated { $0.machine.requests.contains(.discovery) } ?? false
    }
  }

  private var attached: BlueZClient {
    get throws(BusError) {
      guard let client else { throw .closed }
      return client
    }
  }

  /// Sets the timer to the state machine's next deadline. A timer that fires too early is set again, so a deadline that
  /// moves with each notification costs nothing.
  private func updateTimer() {
    guard let due = machine.nextDeadline, timer.map({ due < $0.due }) ?? true else { return }
    if let timer { BusExecutor.shared.cancel(timer.id) }
    let delay = max(.zero, due - events.elapsed(at: SystemClock.boot))
    let id = BusExecutor.shared.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { $0.timerFired() }
    }
    timer = (id, due)
  }

  private func timerFired() {
    timer = nil
    // The end of the settling time counts all straps that were found before.
    if throttle.isScheduled { evaluateObjects() }
    handle(.tick)
  }

  // MARK: Events

  private func report(_ change: LinkChange, at now: Int64) {
    logger.info(
      "\(change.state.rawValue)\(change.strap.map { ": \($0)" } ?? "")\(change.reason.map { ", \($0)" } ?? "")"
    )
    events.append(.link(change), at: now)
    if change.state == .connected { reportBattery(at: now) }
  }

  private func reportBattery(at now: Int64) {
    guard machine.state.isStreaming, let target = machine.target, let client else { return }
    let level = client.assumeIsolated { $0.battery(of: target) }
    guard let level, level != battery else { return }
    battery = level
    events.append(.battery(level), at: now)
  }

  private func receive(_ payload: [UInt8], arrival: Int64) {
    guard !isOver else { return }
    handle(.notification, at: arrival)
    events.append(notification: payload, arrival: arrival)
    if let sensors, missingIntervals.update(payload) {
      sensors.assumeIsolated { $0.intervalsAreMissing(at: arrival) }
    }
  }

  /// Starts PPI, because the RR intervals of the strap are smoothed.
  func replaceIntervals() {
    guard !isOver, let sensors else { return }
    sensors.assumeIsolated { $0.intervalsAreMissing(at: SystemClock.boot) }
  }

  // MARK: Sensor streams

  private func makeSensors() -> SensorSession {
    SensorSession(
      machine: SensorStreamMachine(wanted: configuration.streams, timing: configuration.sensorTiming),
      startedAt: startedAt,
      output: SensorSession.Output(
        report: { [weak self] change, now in
          self?.assumeIsolated { $0.report(change, at: now) }
        },
        frame: { [weak self] payload, arrival in
          self?.assumeIsolated { $0.receive(frame: payload, arrival: arrival) }
        }),
      logger: logger)
  }

  private func report(_ change: SensorStreamChange, at now: Int64) {
    var change = change
    if configuration.verifiesBeats, change.stream == .ecg, change.state == .started {
      change.reason = SensorStreamChange.verification
    }
    events.append(.stream(change), at: now)
  }

  private func receive(frame payload: [UInt8], arrival: Int64) {
    guard !isOver else { return }
    events.append(frame: payload, arrival: arrival)
  }

  /// Begins the streams once the strap sends its heart rate and its details are read, because BlueZ runs one GATT operation
  /// at a time. The streams end with the link.
  private func updateSensors(at now: Int64) {
    guard let sensors, let client, let target = machine.target else { return }
    let sighting = machine.snapshot.sighting(of: target)
    let hasSensors = machine.isLinked && sighting?.sensors != nil
    let isReady = machine.state.isStreaming && details == .read
    let hasOldFirmware = !hasSensors && sighting?.hasEarlierSensors == true
    sensors.assumeIsolated { sensors in
      if !hasSensors { sensors.linkEnded(at: now) }
      if hasSensors, isReady { sensors.begin(client, target, at: now) }
      if hasOldFirmware { sensors.reportEarlierFirmware(at: now) }
    }
  }

  // MARK: BlueZ

  private func attach(startService: Bool) async throws(LinkFailure) {
    if let client {
      await configuration.radio.forget(client)
      await client.close()
    }
    let client = makeClient()
    self.client = client
    do throws(BusError) {
      try await client.open()
    } catch {
      throw LinkFailure(kind: .noBus, message: error.description)
    }
    do throws(BusError) {
      try await client.readObjects(startService: startService)
    } catch {
      throw LinkFailure(error)
    }
    evaluateObjects()
  }

  private func makeClient() -> BlueZClient {
    BlueZClient(
      requestedAdapter: configuration.adapter, busAddress: configuration.busAddress, logger: logger
    ) { [weak self] notice in
      self?.assumeIsolated { $0.receive(notice) }
    }
  }

  private func receive(_ notice: BlueZClient.Notice) {
    switch notice {
    case .changed(let device): handleChangedObjects(of: device)
    case .serviceAppeared: handle(.serviceAppeared)
    case .serviceLost(let message): handle(.detached(LinkFailure(kind: .noService, message: message)))
    case .busLost: handle(.detached(LinkFailure(kind: .noBus, message: BusError.closed.message)))
    case .disconnected(let address, let reason):
      if address == machine.target?.address { handle(.disconnectReason(reason)) }
    }
  }

  /// Evaluates changes of the strap and of the adapter at once, those of other devices together.
  private func handleChangedObjects(of device: String?) {
    guard let device, device != machine.target?.address else { return evaluateObjects() }
    let timing = machine.timing
    let interval = machine.target == nil ? timing.searchEvaluation : timing.linkedEvaluation
    switch throttle.change(at: events.elapsed(at: SystemClock.boot), interval: interval) {
    case .now: evaluateObjects()
    case .scheduled: break
    case .after(let delay):
      evaluation = BusExecutor.shared.schedule(after: delay) { [weak self] in
        self?.assumeIsolated {
          $0.throttle.unschedule()
          $0.evaluateObjects()
        }
      }
    }
  }

  private func evaluateObjects() {
    guard let client, !isOver else { return }
    throttle.evaluated(at: events.elapsed(at: SystemClock.boot))
    handle(.snapshot(client.assumeIsolated { $0.snapshot }))
    reportBattery(at: SystemClock.boot)
  }

  private func subscribe(to strap: StrapIdentity) async throws(BusError) {
    dropSubscription()
    let bus = BusConnection(
      handlers: BusConnection.Handlers(lost: { [weak self] in self?.assumeIsolated { $0.receive(.busLost) } })
    )
    subscription = bus
    try await attached.subscribe(to: strap, on: bus) { [weak self] payload, arrival in
      self?.assumeIsolated { $0.receive(payload, arrival: arrival) }
    }
    if details == .unread { Task { await readDetails(of: strap) } }
  }

  private func dropSubscription() {
    guard let bus = subscription else { return }
    subscription = nil
    bus.assumeIsolated { $0.close() }
    events.resetFilter()
  }

  /// Reads the details once per session, after the subscription, as BlueZ runs one GATT operation at a time.
  private func readDetails(of strap: StrapIdentity) async {
    guard details == .unread, let client else { return }
    details = .reading
    var read = await client.details(of: strap)
    read.wasConnected = !machine.requests.contains(.link)
    configuration.onDetails(read)
    details = .read
    if !isOver { updateSensors(at: SystemClock.boot) }
  }
}
