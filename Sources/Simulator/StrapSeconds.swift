import HeartRate
import Platform

/// Generates the events of each second: a notification with the beats that ended in it, or none while link or
/// contact is lost.
struct StrapSeconds: Sendable {
  private var heart: SimulatedHeart
  private var beat: SimulatedBeat?
  private var random: SplitMix64
  private let faults: Faults
  private var second: Int64 = 0
  private var linkReturns: Int64 = 2
  private var contactReturns: Int64 = 0
  private var meanRR: Double?
  private var battery: UInt8?
  private var acceleration: SimulatedStream?
  /// The next frame, and the time of its last sample in seconds.
  private var frame: (end: Double, payload: [UInt8])?

  init(seed: UInt64, heart: SimulatedHeart, faults: Faults, motion: MotionScript? = nil) {
    self.heart = heart
    self.faults = faults
    acceleration = motion.map { SimulatedStream(seed: seed, script: $0) }
    random = SplitMix64(seed: seed, stream: 3)
    beat = self.heart.next()
  }

  /// Returns the events of the next second in order.
  mutating func next() -> [SessionEvent] {
    defer { second += 1 }
    let wasLinked = second >= linkReturns
    return inOrder(heartEvents(), frames(wasLinked: wasLinked))
  }

  /// Merges events of one second by their times.
  private func inOrder(_ events: [SessionEvent], _ frames: [SessionEvent]) -> [SessionEvent] {
    frames.isEmpty ? events : (events + frames).sorted { $0.at < $1.at }
  }

  /// Returns the frames that arrive in this second, 30 ms after their last sample, and the start of the stream when the
  /// link is established. Frames without a link are lost.
  private mutating func frames(wasLinked: Bool) -> [SessionEvent] {
    guard acceleration != nil else { return [] }
    var events: [SessionEvent] = []
    if second + 1 == linkReturns {
      events.append(
        event(950, .stream(SensorStreamChange(.acceleration, .started, settings: SimulatedStream.settings))))
    }
    if frame == nil { frame = acceleration?.next() }
    while let due = frame, due.end + 0.03 < Double(second + 1) {
      let milliseconds = (due.end + 0.03 - Double(second)) * 1000
      if wasLinked, second >= linkReturns {
        events.append(event(milliseconds, .sensorFrame(payload: due.payload)))
      }
      frame = acceleration?.next()
    }
    return events
  }

  /// Returns the events of the heart in this second.
  private mutating func heartEvents() -> [SessionEvent] {
    let detected = beatsOfThisSecond()
    if second == 0 { return [event(0, .link(LinkChange(.searching)))] }
    if second < linkReturns { return second + 1 == linkReturns ? reconnection() : [] }
    if isFaulty(faults.dropoutsPerHour) { return dropout() }
    if second >= contactReturns, isFaulty(faults.contactLossesPerHour) {
      contactReturns = second + random.integer(in: 5...15)
    }
    return batteryChange() + [notification(of: second < contactReturns ? nil : detected)]
  }

  /// Returns the RR intervals of the beats that end in (second, second + 1], in 1/1024 s.
  private mutating func beatsOfThisSecond() -> [UInt16] {
    var units: [UInt16] = []
    let end = (second + 1) * RRInterval.ticksPerSecond
    while let beat, beat.end.ticks <= end {
      units.append(beat.rr.gattUnits)
      let milliseconds = beat.rr.milliseconds
      meanRR = meanRR.map { $0 + (milliseconds - $0) / 6 } ?? milliseconds
      self.beat = heart.next()
    }
    return units
  }

  /// Draws in every second, because the faultless time must not affect later draws.
  private mutating func isFaulty(_ perHour: Double) -> Bool {
    random.happens(perHour: perHour, within: 1) && second >= SimulatedStrap.faultlessSeconds
  }

  /// Returns the notification sent at the end of the second, which arrives within a few connection intervals
  /// of 7.5 ms.
  private mutating func notification(of detected: [UInt16]?) -> SessionEvent {
    let rate = meanRR.map { UInt16((60_000 / $0).rounded()) }
    let measurement = HeartRateMeasurement(
      heartRate: detected == nil ? 0 : rate, contact: detected == nil ? .notDetected : .detected,
      energyExpended: second % 10 == 0 ? UInt16(clamping: second / 12) : nil,
      rrIntervals: RRIntervals(gattUnits: detected ?? []))
    return event(
      1000 + 2.5 + 7.5 * Double(random.integer(in: 0...4)), .notification(payload: measurement.encoded()))
  }

  private mutating func dropout() -> [SessionEvent] {
    linkReturns = second + random.integer(in: 4...20)
    return [
      event(
        300, .link(LinkChange(.lost, strap: SimulatedStrap.identity, reason: "out of reach (simulated)"))),
      event(400, .link(LinkChange(.searching))),
    ]
  }

  private mutating func reconnection() -> [SessionEvent] {
    [
      event(300, .link(LinkChange(.connecting, strap: SimulatedStrap.identity))),
      event(900, .link(LinkChange(.connected, strap: SimulatedStrap.identity))),
    ]
  }

  /// Returns the battery event: initially 95 %, decreasing by 1 % every two hours, only on change.
  private mutating func batteryChange() -> [SessionEvent] {
    let percent = UInt8(clamping: max(1, 95 - second / 7200))
    guard percent != battery, let level = BatteryLevel(percent: percent) else { return [] }
    battery = percent
    return [event(100, .battery(level))]
  }

  private func event(_ milliseconds: Double, _ kind: SessionEvent.Kind) -> SessionEvent {
    let ticks = Int64(milliseconds * Double(RRInterval.ticksPerMillisecond))
    return SessionEvent(at: SessionTime(ticks: second * RRInterval.ticksPerSecond + ticks), kind)
  }
}
