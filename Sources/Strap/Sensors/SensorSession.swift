import DBus
import HeartRate
import Logging
import Platform

/// The sensor streams of one session: performs the actions of the ``SensorStreamMachine`` on the bus thread.
actor SensorSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  /// Receives what the streams produce, with the time of ``SystemClock`` in nanoseconds. Called on the bus thread.
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

  /// The notifications of the strap contain no RR intervals, or smoothed ones.
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

  private func handle(_ event: SensorStreamMachine.Event, at now: Int64 = SystemClock.boot) {
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
    let delay = max(.zero, due - elapsed(at: SystemClock.boot))
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

/// Timeouts and intervals of sensor streams.
struct SensorTiming: Equatable, Sendable {
  /// Maximum time for the answer to a request.
  var response = Duration.seconds(5)
  /// Time without frames after which a stream is started again; an H10 may need 30 s for the first one.
  var silence = Duration.seconds(60)
  /// Back-off after a failed subscription, multiplied by the number of failures.
  var backoff = Duration.seconds(2)
  /// Number of subscriptions that may fail on one link.
  var attempts = 5
  /// A link that ends so soon after acceleration and ECG were started together may have failed because of both.
  var jointLoss = Duration.seconds(60)
}

/// Drops the duplicates of sensor frames and holds frames back while earlier notifications are undecided.
///
/// BlueZ signals each value once per subscriber. A frame carries the strap's time, so a frame that equals the previous one of
/// its stream is a duplicate.
struct SensorFrameOrder<Stamp: Sendable>: Sendable {
  struct Frame: Sendable {
    var payload: [UInt8]
    /// Nanoseconds of a monotonic clock.
    var arrival: Int64
    var stamp: Stamp
  }

  private var latest: [UInt8: [UInt8]] = [:]
  private var held: [Frame] = []

  /// Whether no frame is held.
  var isEmpty: Bool { held.isEmpty }

  /// Accepts a frame; false for a duplicate.
  mutating func receive(_ frame: Frame) -> Bool {
    let type = frame.payload.first ?? 0
    guard latest[type] != frame.payload else { return false }
    latest[type] = frame.payload
    held.append(frame)
    return true
  }

  /// Removes and returns the held frames up to `arrival`; all for nil.
  mutating func release(until arrival: Int64?) -> [Frame] {
    guard !held.isEmpty else { return [] }
    let count = arrival.map { limit in held.prefix { $0.arrival <= limit }.count } ?? held.count
    defer { held.removeFirst(count) }
    return Array(held.prefix(count))
  }
}
