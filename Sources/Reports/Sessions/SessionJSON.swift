package import HRV
package import HeartRate
package import JSONLines
package import Motion
package import Stress

/// A session as lines of JSON, one object each; the documentation of the JSON output specifies them.
///
/// The lines depend only on the events and the header of the session, so a replay writes the same bytes.
package struct SessionJSON {
  /// ID of the session. RR text has none.
  package var session: String?
  package var profile: String?
  /// Address of the strap, once a link event has stated it.
  package private(set) var strap: String?
  private var line = JSONLine()
  private var liveness = Liveness()
  /// Known once the sensor is classified.
  package var sensorClass: SensorClass?
  /// Whether lines are encoded. If not, they are only counted, and the state that later lines contain is updated.
  package var isEncoding = true
  /// Number of lines of the session so far.
  package private(set) var lines = 0

  /// Whether the newest values are not live.
  package var isStale: Bool { !liveness.isLive }

  package init(session: String?, profile: String?) {
    self.session = session
    self.profile = profile
  }

  /// Calls `write` with the bytes of all lines since the last call.
  package mutating func take(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard !line.bytes.isEmpty else { return }
    unsafe try line.bytes.withUnsafeBytes(write)
    line.clear()
  }

  /// Adds the line of an event. The line of a notification is added when it is decoded.
  package mutating func put(_ event: SessionEvent) {
    switch event.kind {
    case .notification, .interval, .sensorFrame: break
    case .stream(let change): put(change, event)
    case .link(let change): put(change, event)
    case .battery(let level):
      begin("link", event.at, event.wall) { $0.put("battery_percent", Int(level.percent)) }
    case .mark(let text):
      begin("mark", event.at, event.wall) { $0.put("text", text) }
    case .end:
      begin("end", event.at, event.wall) { _ in }
    }
  }

  /// Adds the line of a decoded part of `event`. The line of a beat is that of its measurement.
  package mutating func put(_ part: BeatStream.Event, of event: SessionEvent) {
    switch part {
    case .notification(let measurement):
      liveness.update(measurement)
      put(measurement, event)
    case .undecodable(let error): put(error, event)
    case .gap(let gap): put(gap, event)
    case .beat: break
    }
  }

  private mutating func begin(
    _ type: String, _ at: SessionTime, _ wall: WallTime?, namesStrap: Bool = true,
    _ members: (inout JSONLine) -> Void
  ) {
    lines += 1
    guard isEncoding else { return }
    let strap = strap
    line.line { line in
      line.put("type", type)
      if let wall { line.put("time", wall.rfc3339) }
      line.put("monotonic_s", seconds: at)
      members(&line)
      if let strap, namesStrap { line.put("strap", strap) }
      if let session { line.put("session", session) }
      if let profile { line.put("profile", profile) }
    }
  }

  private mutating func put(_ change: LinkChange, _ event: SessionEvent) {
    strap = change.strap?.address ?? strap
    liveness.update(change)
    let isStale = !liveness.isLive
    begin("link", event.at, event.wall, namesStrap: false) { line in
      line.put("state", change.state.rawValue)
      line.put("stale", isStale)
      if let strap = change.strap {
        line.put("strap", strap.address)
        if let name = strap.name { line.put("strap_name", name) }
      }
      if let reason = change.reason { line.put("reason", reason) }
    }
  }

  private mutating func put(_ change: SensorStreamChange, _ event: SessionEvent) {
    begin("stream", event.at, event.wall) { line in
      line.put("stream", change.stream.name)
      line.put("state", change.state.rawValue)
      line.put("rate_hz", change.settings.rate)
      if let reason = change.reason { line.put("reason", reason) }
    }
  }

  private mutating func put(_ measurement: HeartRateMeasurement, _ event: SessionEvent) {
    let sensorClass = sensorClass
    begin("notification", event.at, event.wall) { line in
      line.put(MetricDefinition.heartRate.key, measurement.plausibleHeartRate.map { Int($0) })
      line.put("rr_ms", milliseconds: measurement.rrIntervals)
      line.put("contact", measurement.contact.rawValue)
      if let sensorClass { line.put("sensor_class", sensorClass.rawValue) }
      if let energy = measurement.energyExpended { line.put("energy_kj", Int(energy)) }
      if measurement.leftoverBytes > 0 { line.put("leftover_bytes", measurement.leftoverBytes) }
    }
  }

  private mutating func put(_ error: HeartRateMeasurement.DecodingError, _ event: SessionEvent) {
    guard case .notification(let payload) = event.kind else { return }
    begin("notification", event.at, event.wall) { line in
      line.put("hex", hex: payload)
      line.put("error", error.description)
    }
  }

  private mutating func put(_ gap: Gap, _ event: SessionEvent) {
    begin("gap", gap.end, event.wall) { line in
      line.put("start_s", seconds: gap.start)
      line.put("duration_s", gap.seconds)
      line.put("cause", gap.cause.rawValue)
    }
  }

  /// Adds the line of a second of acceleration.
  package mutating func put(_ second: MotionSecond, wall: WallTime?) {
    begin("motion", second.time, wall) { line in
      line.put("motion", second.motion.rawValue)
      line.put("mad_mg", second.intensity)
      line.put("enmo_mg", second.enmo)
      line.put("posture", second.posture.rawValue)
      if second.hasPostureChange { line.put("posture_change", true) }
      if let rate = second.respirationRate { line.put("respiration_brpm", rate) }
    }
  }

  /// Adds the line of a measurement.
  /// - Parameters:
  ///   - normal: Normal range of RMSSD, for a reading. Not needed for live lines, which depend on the session only.
  ///   - isSimulated: Whether a reading is one of the simulated strap. Not needed for live lines, whose link lines name the
  ///     strap.
  package mutating func put(
    _ measurement: StressMeasurement, normal: NormalRange? = nil, isSimulated: Bool? = nil
  ) {
    liveness.receiveMeasurement()
    begin("measurement", measurement.time, measurement.wall) { line in
      line.put("verdict", measurement.verdict.rawValue)
      line.put(measurement)
      line.put("stale", false)
      if let normal { line.put(normal: normal, rmssd: measurement.rmssd) }
      if let isSimulated { line.put("simulated", isSimulated) }
    }
  }
}

extension JSONLine {
  /// Adds the members of a measurement that do not depend on its session.
  package mutating func put(_ measurement: StressMeasurement) {
    put("window_s", measurement.window)
    put("beats", measurement.nn.count)
    for (metric, value) in NNSums.timeDomain {
      let isMean = metric == .meanNN || metric == .meanHeartRate
      put(metric, isMean || measurement.hasRequiredData ? value(measurement.nn) : nil)
    }
    put(.artefacts, measurement.artefactFraction * 100)
    put("covered_s", measurement.coveredSeconds)
    put(.coverage, measurement.coverage)
    put("sensor_class", measurement.sensorClass?.rawValue)
    put(.stress, measurement.score?.value)
    put(measurement.interval)
    put(.stressRangeLow, measurement.range?.low)
    put(.stressRangeHigh, measurement.range?.high)
    put(measurement.levelRange)
    put("category", measurement.statedCategory?.rawValue)
    put(.confidence, measurement.confidence.value)
    put("confidence_factors", measurement.confidence)
    if let motion = measurement.motion {
      put("moving", motion.isMoving)
      put("still_percent", motion.still * 100)
    }
    put(measurement.metric.baseline, measurement.score?.inputs.baselineHRV)
    put(.restingHeartRate, measurement.score?.inputs.restingHeartRate)
  }

  /// Adds the bounds of the interval of a stress value.
  mutating func put(_ interval: StressInterval?) {
    put(.stressLow, interval?.low)
    put(.stressHigh, interval?.high)
  }

  /// Adds the bounds of the range of the level; nothing with a solid baseline.
  mutating func put(_ range: LevelRange?) {
    guard let range else { return }
    put("level_low", range.low)
    put("level_high", range.high)
  }

  /// Adds an object with the known factors of a confidence.
  mutating func put(_ key: String, _ confidence: Confidence) {
    put(key) { factors in
      for (factor, value) in confidence.known { factors.put(factor.rawValue, value) }
    }
  }
}

extension HRVMetric {
  /// The metric in the catalogue.
  package var definition: MetricDefinition {
    switch self {
    case .rmssd: .rmssd
    case .sdnn: .sdnn
    }
  }

  /// The metric of the baseline.
  var baseline: MetricDefinition {
    switch self {
    case .rmssd: .baselineRMSSD
    case .sdnn: .baselineSDNN
    }
  }
}
