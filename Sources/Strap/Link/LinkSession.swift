import Glibc
import HeartRate
import Logging

/// One session with a strap: performs what the ``LinkStateMachine`` decides, on the bus thread.
actor LinkSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    BusExecutor.shared.asUnownedSerialExecutor()
  }

  private let beganAt = BootClock.now()
  private let adapterWanted: String?
  private let busAddress: String?
  private let radio: RadioTurns
  private let events: EventQueue
  private let tellDetails: @Sendable (StrapDetails) -> Void
  private let logger: Logger

  private var machine: LinkStateMachine
  private var client: BlueZClient?
  private var subscription: Bus?
  private var timer: (id: BusTimers.ID, due: Duration)?
  private var copies = CopyFilter<WallTime>()
  private var battery: BatteryLevel?
  private var toldDetails = false
  private var isOver = false

  init(
    machine: LinkStateMachine, adapter: String?, busAddress: String?, radio: RadioTurns, logger: Logger,
    events: EventQueue,
    tellDetails: @escaping @Sendable (StrapDetails) -> Void
  ) {
    self.machine = machine
    self.adapterWanted = adapter
    self.busAddress = busAddress
    self.radio = radio
    self.logger = logger
    self.events = events
    self.tellDetails = tellDetails
  }

  func start() { feed(.start) }

  /// Undoes what the session began: the scan and the subscription end with their connections, the link only if
  /// the session asked for it.
  func end() async {
    guard !isOver else { return }
    isOver = true
    if let timer { BusExecutor.shared.cancel(timer.id) }
    dropSubscription()
    if let client {
      await radio.forget(client)
      if machine.mayBeScanning { await client.stopDiscovery() }
      if let strap = machine.linkToUndo {
        try? await client.disconnect(strap, deadline: Deadline.lastDisconnect)
      }
      await client.close()
    }
    client = nil
    events.finish()
  }

  // MARK: The machine

  /// What the strap has sent goes before what is concluded from anything else: bluetoothd's word that the link has
  /// ended may overtake the last notifications, which came by another connection, and after a suspend the timers are
  /// due while data wait to be read.
  private func feed(_ event: LinkStateMachine.Event) {
    guard !isOver else { return }
    subscription?.assumeIsolated { $0.takeWaiting() }
    feed(event, at: BootClock.now())
  }

  /// What comes of an event bears the event's time, so that times never go back.
  private func feed(_ event: LinkStateMachine.Event, at now: Int64) {
    guard !isOver else { return }
    for action in machine.handle(event, at: elapsed(at: now)) { perform(action, at: now) }
    rearm()
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
    logger.debug("\(operation)")
    Task {
      let failure: LinkFailure?
      do throws(LinkFailure) {
        try await run(operation)
        failure = nil
      } catch {
        failure = error
        logger.debug("\(operation) failed: \(error.words)")
      }
      feed(.completed(ticket: ticket, failure))
    }
  }

  private func run(_ operation: LinkStateMachine.Operation) async throws(LinkFailure) {
    if case .attach(let startService) = operation { return try await attach(startService: startService) }
    do throws(BusError) {
      switch operation {
      case .attach: break
      case .startScan(let wide): try await startScan(wide: wide)
      case .stopScan: try await radio.stopDiscovery(attached)
      case .connect(let strap): try await radio.connect(strap, attached)
      case .subscribe(let strap): try await subscribe(to: strap)
      case .disconnect(let strap): try await attached.disconnect(strap)
      }
    } catch {
      throw LinkFailure(error)
    }
  }

  private func startScan(wide: Bool) async throws(BusError) {
    try await radio.startDiscovery(attached, wide: wide) { [weak self] in
      self?.assumeIsolated { $0.machine.mayBeScanning } ?? false
    }
  }

  private var attached: BlueZClient {
    get throws(BusError) {
      guard let client else { throw .closed }
      return client
    }
  }

  /// Sets the timer to the machine's next deadline. One that is due too early only asks again, so the deadline
  /// that moves with each notification costs nothing.
  private func rearm() {
    guard let due = machine.nextDeadline, timer.map({ due < $0.due }) ?? true else { return }
    if let timer { BusExecutor.shared.cancel(timer.id) }
    let delay = max(.zero, due - elapsed(at: BootClock.now()))
    let id = BusExecutor.shared.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { $0.ring() }
    }
    timer = (id, due)
  }

  private func ring() {
    timer = nil
    feed(.tick)
  }

  private func elapsed(at now: Int64) -> Duration { .nanoseconds(now - beganAt) }

  // MARK: What goes out

  private func report(_ change: LinkChange, at now: Int64) {
    logger.info(
      "\(change.state.rawValue)\(change.strap.map { ": \($0)" } ?? "")\(change.reason.map { ", \($0)" } ?? "")"
    )
    yield(.link(change), at: now)
    if change.state == .connected { takeBattery(at: now) }
  }

  /// What is held back came before.
  private func yield(_ kind: SessionEvent.Kind, at now: Int64) {
    yield(copies.flush())
    yield(kind, at: now, wall: BootClock.wall())
  }

  private func yield(_ notifications: [CopyFilter<WallTime>.Notification]) {
    for one in notifications { yield(one) }
  }

  private func yield(_ one: CopyFilter<WallTime>.Notification) {
    yield(.notification(payload: one.payload), at: one.arrival, wall: one.stamp)
  }

  private func yield(_ kind: SessionEvent.Kind, at now: Int64, wall: WallTime) {
    events.append(SessionEvent(at: SessionTime(nanoseconds: now - beganAt), wall: wall, kind))
  }

  // MARK: BlueZ

  private func attach(startService: Bool) async throws(LinkFailure) {
    if let client {
      await radio.forget(client)
      await client.close()
    }
    let client = BlueZClient(adapterWanted: adapterWanted, busAddress: busAddress, logger: logger) {
      [weak self] notice in
      self?.assumeIsolated { $0.take(notice) }
    }
    self.client = client
    do throws(BusError) {
      try await client.open()
    } catch {
      throw LinkFailure(kind: .noBus, words: error.description)
    }
    do throws(BusError) {
      try await client.readObjects(startService: startService)
    } catch {
      throw LinkFailure(error)
    }
    take(.changed)
  }

  private func take(_ notice: BlueZClient.Notice) {
    switch notice {
    case .changed: takeWorld()
    case .serviceAppeared: feed(.serviceAppeared)
    case .serviceLost(let words): feed(.detached(LinkFailure(kind: .noService, words: words)))
    case .busLost: feed(.detached(LinkFailure(kind: .noBus, words: BusError.closed.message)))
    case .disconnected(let address, let reason):
      if address == machine.target?.address { feed(.disconnectReason(reason)) }
    }
  }

  private func takeWorld() {
    guard let client else { return }
    feed(.world(client.assumeIsolated { $0.world }))
    takeBattery(at: BootClock.now())
  }

  private func takeBattery(at now: Int64) {
    guard machine.state == .streaming, let target = machine.target, let client else { return }
    let level = client.assumeIsolated { $0.battery(of: target) }
    guard let level, level != battery else { return }
    battery = level
    yield(.battery(level), at: now)
  }

  private func subscribe(to strap: StrapIdentity) async throws(BusError) {
    dropSubscription()
    let bus = Bus(handlers: Bus.Handlers(lost: { [weak self] in self?.assumeIsolated { $0.take(.busLost) } }))
    subscription = bus
    try await attached.subscribe(to: strap, on: bus) { [weak self] payload, arrival in
      self?.assumeIsolated { $0.take(payload, arrival: arrival) }
    }
    if !toldDetails { Task { await readDetails(of: strap) } }
  }

  private func take(_ payload: [UInt8], arrival: Int64) {
    guard !isOver else { return }
    feed(.notification, at: arrival)
    copies.take(.init(payload: payload, arrival: arrival, stamp: BootClock.wall())) { yield($0) }
  }

  private func dropSubscription() {
    guard let bus = subscription else { return }
    subscription = nil
    bus.assumeIsolated { $0.close() }
    yield(copies.flush())
    copies = CopyFilter()
  }

  /// Once in a session, after the subscription: one GATT operation at a time.
  private func readDetails(of strap: StrapIdentity) async {
    guard !toldDetails, let client else { return }
    toldDetails = true
    var details = await client.details(of: strap)
    details.wasConnected = !machine.askedForLink
    tellDetails(details)
  }
}
