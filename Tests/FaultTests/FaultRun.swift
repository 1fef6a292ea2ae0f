import DBus
import FakeBlueZ
import HRV
import HeartRate
import History
import Logging
import Simulator
import Stress
import TestSupport

@testable import Session
@testable import Strap

/// Runs one schedule with a bus, a fake bluetoothd, a strap, a session and its history.
final class FaultRun {
  private static let address = "C0:00:00:00:00:01"
  private static let controller = "00:AA:01:00:00:00"

  private let schedule: FaultSchedule
  private let bus: PrivateBus
  private let fake: FakeBlueZ
  private let strap: StrapControl
  private let folder: TemporaryFolder
  private let probe = Probe()
  private let clock = ContinuousClock()
  private var random: SeededGenerator
  private var beat: UInt16 = 0
  private var adapter = 0
  private var next: [UInt8]?
  private var complaints: [String] = []
  private var recoveries: [(fault: Fault, time: Duration)] = []
  private let sent = SentLog()
  /// The longest time that a wait of 0.8 s of session time took.
  private var longestPause = Duration.zero

  init(_ schedule: FaultSchedule) throws {
    self.schedule = schedule
    random = SeededGenerator(seed: schedule.seed &+ 0xFA01_7000)
    folder = try TemporaryFolder(prefix: "faults")
    bus = try PrivateBus()
    var options = FakeBlueZ.Options()
    options.advertisementInterval /= Double(AcceleratedStrap.rate)
    options.temporaryTimeout /= Double(AcceleratedStrap.rate)
    options.sendsDisconnected = schedule.seed.isMultiple(of: 2)
    fake = try FakeBlueZ(address: bus.address, adapter: Self.controller, options: options)
    var strap = FakeStrap(address: Self.address, name: "Polar H10 TEST")
    strap.script.disconnectDelay /= Double(AcceleratedStrap.rate)
    strap.script.connectTimeout /= Double(AcceleratedStrap.rate)
    strap.script.connectDelay = 0.005
    strap.script.resolveDelay = 0.005
    var sensors = FakeSensors(script: MotionScript("breathing:60,walking:60")!)
    sensors.samplesPerFrame = 1
    strap.sensors = sensors
    self.strap = fake.add(strap)
    let sent = sent
    fake.onSent { sent.record($0) }
    fake.onSensorFrame { sent.record(frame: $0) }
  }

  func run() async throws -> FaultOutcome {
    let location = try StoreLocation(path: folder.file("history.sqlite"), environment: [:])
    let setup = SessionSetup(
      profile: "test", source: .strap(StrapSource(strap: nil, adapter: nil, logger: Logger(label: "test"))),
      settings: StressEngine.Settings())
    let plan = SessionPlan(setup, baseline: .populationDefault)
    let session = start(plan, location)
    if await beat(until: "live", { $0.notifications >= 3 }) {
      for step in schedule.steps {
        guard await execute(step) else { break }
      }
      await sendLast()
    }
    session.cancel()
    do { try await session.value } catch { complaints.append("the session failed: \(error)") }
    sent.cutFrames()
    return try outcome(plan, location)
  }

  private func start(_ plan: SessionPlan, _ location: StoreLocation) -> Task<Void, any Error> {
    var bluez = BlueZStrap(
      .address(Self.address), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    bluez.busAddress = bus.address
    bluez.streams = [.acceleration]
    let source = AcceleratedStrap(bluez)
    let probe = probe
    return Task {
      try await SessionPipeline(
        engine: plan.engine,
        sinks: [
          StoreSink(plan: plan, location: location, every: .seconds(10), alerts: .init(print: nil) { _ in }),
          probe.sink,
        ]
      ).run(source)
    }
  }

  // MARK: Notifications

  /// Sends the next notification to all subscribers.
  private func sendBeat() {
    let payload = next ?? healthyPayload()
    next = nil
    strap.notify(payload)
  }

  /// A unique payload, with the number of the notification as energy expended.
  private func healthyPayload() -> [UInt8] {
    beat &+= 1
    let units = UInt16(780 + Int(beat % 7) * 9)
    return [0x18, 75, UInt8(beat & 0xff), UInt8(beat >> 8), UInt8(units & 0xff), UInt8(units >> 8)]
  }

  /// Waits for about 0.8 s of session time.
  private func pause() async {
    let begin = clock.now
    try? await Task.sleep(for: .milliseconds(800 / AcceleratedStrap.rate))
    longestPause = max(longestPause, clock.now - begin)
  }

  private func beat(count: Int) async {
    for _ in 0..<count {
      sendBeat()
      await pause()
    }
  }

  /// Sends notifications until `condition` is true; a timeout is a complaint.
  private func beat(
    until what: String, silently: Bool = false, _ condition: (Probe.Seen) -> Bool
  ) async -> Bool {
    let end = clock.now + .seconds(120)
    while !probe.read(condition) {
      guard clock.now < end else {
        complaints.append("not \(what) after two minutes")
        return false
      }
      if !silently { sendBeat() }
      await pause()
    }
    return true
  }

  /// Sends a unique notification that marks the end.
  private func sendLast() async {
    let mark: [UInt8] = [0x00, 0xfe]
    while !strap.notify(mark) { await pause() }
    _ = await beat(until: "at the end", silently: true) { $0.lastPayload == mark }
  }

  // MARK: Faults

  private func execute(_ step: FaultSchedule.Step) async -> Bool {
    await beat(count: step.beatsBefore)
    let losses = probe.read { $0.losses }
    sent.enter(step.fault)
    do {
      try await inject(step, losses: losses)
    } catch {
      complaints.append("\(step.fault.rawValue): \(error)")
      return false
    }
    let recovered = clock.now
    let heard = probe.read { $0.notifications }
    guard await beat(until: "live after: \(step.fault.rawValue)", { $0.notifications > heard + 2 }) else {
      return false
    }
    recoveries.append((step.fault, clock.now - recovered))
    return true
  }

  private func outage(_ step: FaultSchedule.Step, losses: Int) async {
    _ = await beat(until: "reported after: \(step.fault.rawValue)") { $0.losses > losses }
    await beat(count: step.beats)
  }

  /// Waits for messages in transit, which a bus drops when it ends.
  private func settle() async {
    guard let last = sent.all.last?.payload else { return }
    let end = clock.now + .seconds(30)
    while clock.now < end, !probe.read({ $0.lastPayload == last }) { await pause() }
  }

  private func inject(_ step: FaultSchedule.Step, losses: Int) async throws {
    switch step.fault {
    case .linkLost:
      strap.loseLink(reason: ["Timeout", "Remote", "Unknown"].randomElement(using: &random) ?? "")
      _ = await beat(until: "reported as lost") { $0.losses > losses }
    case .strapAway:
      strap.advertise(false)
      strap.loseLink()
      await outage(step, losses: losses)
      strap.advertise(true)
    case .daemonKilled, .daemonTerminated:
      fake.stopDaemon(step.fault == .daemonKilled ? .killed : .terminated)
      await outage(step, losses: losses)
      try fake.startDaemon()
    case .busRestarted:
      await settle()
      bus.stop()
      // Notifications sent before bluetoothd has handled the disconnection would count as delivered.
      while strap.subscriberCount > 0 { await pause() }
      sent.cutFrames()
      await outage(step, losses: losses)
      sent.busIsNew()
      try bus.start()
      try fake.startDaemon()
    case .adapterMoved:
      fake.removeAdapter("hci\(adapter)")
      await outage(step, losses: losses)
      adapter += 1
      fake.addAdapter("hci\(adapter)", address: Self.controller)
    case .powerOff:
      fake.setPower(false, adapter: "hci\(adapter)")
      await outage(step, losses: losses)
      fake.setPower(true, adapter: "hci\(adapter)")
    case .blocked:
      fake.setBlocked(true, adapter: "hci\(adapter)")
      await outage(step, losses: losses)
      fake.setBlocked(false, adapter: "hci\(adapter)")
      fake.setPower(true, adapter: "hci\(adapter)")
    case .strapSilent: for _ in 0..<(2 * step.beats) { await pause() }
    case .sessionDropped:
      strap.freeSessionsSilently()
      await beat(count: step.beats)
    case .sessionDroppedAtReconnect:
      strap.script { $0.sessionsAfterReconnect = .freedSilently }
      strap.loseLink()
      await outage(step, losses: losses)
      strap.script { $0.sessionsAfterReconnect = .registeredAgain }
    case .connectRefused:
      let refusals = StrapScript.Connect.refusals(using: &random)
      strap.script { $0.connects = refusals }
      strap.loseLink()
      _ = await beat(until: "reported as lost") { $0.losses > losses }
    case .subscriptionRefused:
      let refusals = StrapScript.Notify.refusals(using: &random)
      strap.script { $0.notifies = refusals }
      strap.loseLink()
      _ = await beat(until: "reported as lost") { $0.losses > losses }
    case .deviceForgotten:
      strap.removeDevice()
      _ = await beat(until: "reported as lost") { $0.losses > losses }
    case .servicesLate:
      let late = 0.02 * Double(step.beats) / 10
      strap.script { $0.resolve = .measurementLate(late) }
      strap.loseLink()
      await outage(step, losses: losses)
      strap.script { $0.resolve = .everything }
    case .malformed:
      for _ in 0..<step.beats {
        // The maximum length of an attribute is 512 bytes.
        next = Payloads.hostile.filter { $0.bytes.count <= 512 }.randomElement(using: &random)?.bytes
        sendBeat()
        if Int.random(in: 0..<4, using: &random) == 0 { strap.notify(wrongType: .string("x")) }
        await pause()
      }
    case .manyRR:
      for _ in 0..<step.beats {
        let count = Int.random(in: 9...40, using: &random)
        next = [0x10, 75] + (0..<count).flatMap { _ in [UInt8.random(in: 0...255, using: &random), 3] }
        sendBeat()
        await pause()
      }
    case .equalNeighbours:
      let payload = healthyPayload()
      for _ in 0..<step.beats {
        next = payload
        sendBeat()
        await pause()
      }
    case .secondClient:
      let client = try BusClient(address: bus.address)
      sent.add(otherClient: client.uniqueName)
      guard let path = strap.measurementPath else { return }
      try client.call(path, "org.bluez.GattCharacteristic1", "StartNotify")
      await beat(count: step.beats)
      try client.call(path, "org.bluez.GattCharacteristic1", "StopNotify")
    }
  }

  // MARK: Results

  private func outcome(_ plan: SessionPlan, _ location: StoreLocation) throws -> FaultOutcome {
    let seen = probe.now
    guard let reader = try HistoryReader(location) else {
      return FaultOutcome(schedule: schedule, complaints: complaints + ["nothing is stored"])
    }
    let events = reader.events(of: plan.id)
    let stored = Array(events)
    if let failure = events.failure { complaints.append("the history cannot be read: \(failure)") }
    if stored != seen.events { complaints.append("the stored events differ from the received ones") }
    complaints += try reader.integrityFaults()
    let account = Account(sent: sent.all, stored: stored)
    let frames = FrameAccount(sent: sent, stored: stored)
    complaints += seen.complaints + account.complaints + frames.complaints
    if !strap.runningStreams.isEmpty { complaints.append("a stream runs after the session") }
    var outcome = FaultOutcome(schedule: schedule, complaints: complaints)
    outcome.longestPause = longestPause
    outcome.sent = account.expected
    outcome.stored = seen.notifications
    outcome.frames = frames.expected
    outcome.framesInTransit = frames.inTransit
    outcome.beats = seen.beats.count
    outcome.gaps = seen.gaps
    outcome.losses = seen.losses
    outcome.measurements = seen.measurements
    outcome.inRepair = account.inRepair
    outcome.copies = account.copies
    outcome.recoveries = recoveries
    return outcome
  }
}
