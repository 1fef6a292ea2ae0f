import HRV
import HeartRate
package import JSONLines
import Motion
package import Stress

/// Encodes a session as lines of JSON, which ``SessionLine`` decodes.
///
/// The lines depend only on the events and the header of the session, so a replay writes the same bytes:
///
/// ```swift
/// var encoder = SessionLineEncoder(session: plan.id.text, profile: plan.profile)
/// engine.process(event) { encoder.put($0) }
/// encoder.take { output.write($0) }
/// ```
package struct SessionLineEncoder {
  /// ID of the session. RR text has none.
  private let session: String?
  private let profile: String?
  /// Address of the strap, from the first link event that contains it.
  private var strap: String?
  private var line = JSONLine()
  private var liveness = Liveness()
  /// Known once the sensor is classified.
  private var sensorClass: SensorClass?
  /// The event of the current updates.
  private var event = SessionEvent(at: .zero, .end)
  /// Whether lines are encoded. If not, they are only counted, and the state that later lines contain is updated.
  package var isEncoding = true
  /// Number of lines of the session so far.
  package private(set) var lines = 0

  /// Whether the newest values are not live.
  package var isStale: Bool { !liveness.isLive }

  package init(session: String?, profile: String?) { (self.session, self.profile) = (session, profile) }

  /// Calls `write` with the bytes of all lines since the last call.
  package mutating func take(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard !line.bytes.isEmpty else { return }
    unsafe try line.bytes.withUnsafeBytes(write)
    line.clear()
  }

  /// Adds the line of an update, if it has one. The line of a notification is that of its decoded part, and the line of a beat
  /// is that of its measurement.
  package mutating func put(_ update: SessionUpdate) {
    switch update {
    case .upcoming, .processed: break
    case .event(let event):
      self.event = event
      put(event)
    case .part(let part): put(part)
    case .measurement(let measurement): put(measurement)
    case .motion(let second): put(second)
    case .sensorClass(let found): sensorClass = found
    case .ecg(let status): put(status)
    case .notice(let notice): put(notice)
    }
  }

  /// Adds the line of a measurement, with the members that `members` adds before those of the session.
  package mutating func put(_ measurement: StressMeasurement, _ members: (inout JSONLine) -> Void = { _ in })
  {
    liveness.receiveMeasurement()
    begin(.measurement, measurement.time, measurement.wall) { line in
      line.put(LineKey.verdict, measurement.verdict.rawValue)
      line.put(measurement)
      line.put(LineKey.stale, false)
      members(&line)
    }
  }

  private mutating func begin(
    _ type: LineType, _ at: SessionTime, _ wall: WallTime?, namesStrap: Bool = true,
    _ members: (inout JSONLine) -> Void
  ) {
    lines += 1
    guard isEncoding else { return }
    let strap = strap
    line.line { line in
      line.put(LineKey.type, type.rawValue)
      if let wall { line.put(LineKey.time, wall.rfc3339) }
      line.put(LineKey.seconds, seconds: at)
      members(&line)
      if let strap, namesStrap { line.put(LineKey.strap, strap) }
      if let session { line.put(LineKey.session, session) }
      if let profile { line.put(LineKey.profile, profile) }
    }
  }

  private mutating func begin(
    _ type: LineType, namesStrap: Bool = true, _ members: (inout JSONLine) -> Void
  ) {
    begin(type, event.at, event.wall, namesStrap: namesStrap, members)
  }
}

// MARK: Events and their parts

extension SessionLineEncoder {
  private mutating func put(_ event: SessionEvent) {
    switch event.kind {
    case .notification, .interval, .sensorFrame: break
    case .stream(let change): put(change)
    case .link(let change): put(change)
    case .battery(let level): begin(.link) { $0.put(LineKey.battery, Int(level.percent)) }
    case .mark(let text): begin(.mark) { $0.put(LineKey.text, text) }
    case .end: begin(.end) { _ in }
    }
  }

  private mutating func put(_ notice: SessionNotice) {
    begin(.notice) { line in
      line.put(LineKey.notice, notice.name)
      switch notice {
      case .prompt(let number, let prompt):
        line.put(LineKey.prompt, Int(number))
        line.put(LineKey.stress, prompt.stress)
        line.put(LineKey.confidence, prompt.confidence)
        line.put(LineKey.rmssd, prompt.rmssd)
        line.put(LineKey.normalLow, prompt.normal.lowerBound)
        line.put(LineKey.normalHigh, prompt.normal.upperBound)
      case .category(let category): line.put(LineKey.category, category.rawValue)
      case .alarm(let condition): line.put(LineKey.condition, condition.description)
      }
    }
  }

  private mutating func put(_ part: BeatStream.Event) {
    switch part {
    case .notification(let measurement):
      liveness.update(measurement)
      put(measurement)
    case .undecodable(let error): put(error)
    case .gap(let gap): put(gap)
    case .beat: break
    }
  }

  private mutating func put(_ change: LinkChange) {
    strap = change.strap?.address ?? strap
    liveness.update(change)
    let isStale = isStale
    begin(.link, namesStrap: false) { line in
      line.put(LineKey.state, change.state.rawValue)
      line.put(LineKey.stale, isStale)
      if let strap = change.strap {
        line.put(LineKey.strap, strap.address)
        if let name = strap.name { line.put(LineKey.strapName, name) }
      }
      if let reason = change.reason { line.put(LineKey.reason, reason) }
    }
  }

  private mutating func put(_ change: SensorStreamChange) {
    begin(.stream) { line in
      line.put(LineKey.stream, change.stream.name)
      line.put(LineKey.state, change.state.rawValue)
      line.put(LineKey.rate, change.settings.rate)
      if let reason = change.reason { line.put(LineKey.reason, reason) }
    }
  }

  private mutating func put(_ measurement: HeartRateMeasurement) {
    let sensorClass = sensorClass
    begin(.notification) { line in
      line.put(LineKey.heartRate, measurement.plausibleHeartRate.map { Int($0) })
      line.put(LineKey.intervals, milliseconds: measurement.rrIntervals.lazy.map(\.ticks))
      line.put(LineKey.contact, measurement.contact.rawValue)
      if let sensorClass { line.put(LineKey.sensorClass, sensorClass.rawValue) }
      if let energy = measurement.energyExpended { line.put(LineKey.energy, Int(energy)) }
      if measurement.leftoverBytes > 0 { line.put(LineKey.leftoverBytes, measurement.leftoverBytes) }
    }
  }

  private mutating func put(_ error: HeartRateMeasurement.DecodingError) {
    guard case .notification(let payload) = event.kind else { return }
    begin(.notification) { line in
      line.put(LineKey.hex, hex: payload)
      line.put(LineKey.error, error.description)
    }
  }

  private mutating func put(_ gap: Gap) {
    begin(.gap, gap.end, event.wall) { line in
      line.put(LineKey.gapStart, seconds: gap.start)
      line.put(LineKey.gapLength, gap.seconds)
      line.put(LineKey.cause, gap.cause.rawValue)
    }
  }

  /// Adds the samples of the current frame and the state of the verification.
  private mutating func put(_ status: ECGStatus) {
    guard case .sensorFrame(let payload) = event.kind, let frame = try? SensorFrame(payload: payload) else {
      return
    }
    begin(.ecg) { line in
      var samples: [Double] = []
      frame.forEachECG { samples.append(Double($0)) }
      line.put(LineKey.samples, samples)
      line.put(LineKey.rate, status.rate)
      line.put(LineKey.ecgContact, status.hasContact)
      line.put(LineKey.verifiedBeats, status.verified)
      line.put(LineKey.explainedBeats, status.explained)
      if let rate = status.respiration { line.put(LineKey.respiration, rate) }
      line.put(LineKey.verifications) { counts in
        for result in BeatVerification.allCases { counts.put(result.rawValue, status.counts[result] ?? 0) }
      }
    }
  }

  private mutating func put(_ second: MotionSecond) {
    begin(.motion, second.time, event.wall) { line in
      line.put(LineKey.motion, second.motion.rawValue)
      line.put(LineKey.intensity, second.intensity)
      line.put(LineKey.enmo, second.enmo)
      line.put(LineKey.posture, second.posture.rawValue)
      if second.hasPostureChange { line.put(LineKey.postureChange, true) }
      if let rate = second.respirationRate { line.put(LineKey.respiration, rate) }
    }
  }
}

// MARK: Members of a measurement

extension JSONLine {
  fileprivate mutating func put(_ measurement: StressMeasurement) {
    put(LineKey.window, measurement.window)
    put(LineKey.beats, measurement.nn.count)
    put(timeDomainOf: measurement.nn, isComplete: measurement.hasRequiredData)
    put(LineKey.artefacts, measurement.artefactFraction * 100)
    put(LineKey.covered, measurement.coveredSeconds)
    put(LineKey.coverage, measurement.coverage)
    put(LineKey.sensorClass, measurement.sensorClass?.rawValue)
    put(LineKey.stress, measurement.score?.value)
    put(measurement.interval)
    put(LineKey.stressRangeLow, measurement.range?.low)
    put(LineKey.stressRangeHigh, measurement.range?.high)
    put(measurement.levelRange)
    put(LineKey.category, measurement.statedCategory?.rawValue)
    put(LineKey.confidence, measurement.confidence.value)
    put(measurement.confidence)
    if let motion = measurement.motion {
      put(LineKey.moving, motion.isMoving)
      put(LineKey.still, motion.still * 100)
    }
    let isRMSSD = measurement.metric == .rmssd
    put(isRMSSD ? LineKey.baselineRMSSD : LineKey.baselineSDNN, measurement.score?.inputs.baselineHRV)
    put(LineKey.restingHeartRate, measurement.score?.inputs.restingHeartRate)
  }

  /// Adds the time-domain metrics; those of variability are `null` if the window is not complete.
  private mutating func put(timeDomainOf nn: NNSums, isComplete: Bool) {
    put(LineKey.meanNN, nn.meanNN)
    put(LineKey.meanHeartRate, nn.meanHeartRate)
    let variability: [(String, Double?)] = [
      (LineKey.sdnn, nn.sdnn), (LineKey.rmssd, nn.rmssd), (LineKey.lnRMSSD, nn.lnRMSSD),
      (LineKey.sdsd, nn.sdsd), (LineKey.pNN50, nn.pNN50), (LineKey.pNN20, nn.pNN20), (LineKey.sd1, nn.sd1),
      (LineKey.sd2, nn.sd2),
    ]
    for (key, value) in variability { put(key, isComplete ? value : nil) }
  }

  /// Adds the bounds of the interval of a stress value.
  package mutating func put(_ interval: StressInterval?) {
    put(LineKey.stressLow, interval?.low)
    put(LineKey.stressHigh, interval?.high)
  }

  /// Adds the bounds of the range of the level; nothing with a solid baseline.
  package mutating func put(_ range: LevelRange?) {
    guard let range else { return }
    put(LineKey.levelLow, range.low)
    put(LineKey.levelHigh, range.high)
  }

  /// Adds an object with the known factors of a confidence.
  package mutating func put(_ confidence: Confidence) {
    put(LineKey.factors) { factors in
      for (factor, value) in confidence.known { factors.put(factor.rawValue, value) }
    }
  }
}
