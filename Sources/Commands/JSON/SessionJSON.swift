import HRV
import HeartRate
import JSONLines
import Stress

/// A session as lines of JSON, one object each; docs/reference/json.md specifies them.
///
/// Every line follows from the events and the header of the session alone, so that a replay writes the same bytes.
struct SessionJSON {
  /// Which session the lines belong to; nil for a plain list of RR.
  var session: String?
  var profile: String?
  /// The address of the strap, once it is known.
  private var strap: String?
  private var line = JSONLine()
  private var liveness = Liveness()
  /// What kind of intervals the sensor sends, once that is known.
  var sensorClass: SensorClass?

  init(session: String?, profile: String?) {
    self.session = session
    self.profile = profile
  }

  /// The bytes of the lines put since the last call.
  mutating func take(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard !line.bytes.isEmpty else { return }
    try line.bytes.withUnsafeBytes(write)
    line.clear()
  }

  /// The line for an event; notifications get theirs once they are decoded.
  mutating func put(_ event: SessionEvent) {
    switch event.kind {
    case .notification, .interval: break
    case .link(let change): put(change, event)
    case .battery(let level):
      begin("link", event.at, event.wall) { $0.put("battery_percent", Int(level.percent)) }
    case .mark(let text):
      begin("mark", event.at, event.wall) { $0.put("text", text) }
    case .end:
      begin("end", event.at, event.wall) { _ in }
    }
  }

  /// The line for a part of `event`; beats are told by their measurements.
  mutating func put(_ part: BeatStream.Event, of event: SessionEvent) {
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

  private mutating func put(_ measurement: HeartRateMeasurement, _ event: SessionEvent) {
    let sensorClass = sensorClass
    begin("notification", event.at, event.wall) { line in
      line.put("hr_bpm", measurement.plausibleHeartRate.map { Int($0) })
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

  /// The line for what a beat makes.
  mutating func put(_ measurement: StressMeasurement) {
    liveness.receiveMeasurement()
    begin("measurement", measurement.time, measurement.wall) { line in
      line.put("verdict", measurement.verdict.rawValue)
      line.put(measurement)
      line.put("stale", false)
    }
  }
}

extension JSONLine {
  /// The members of a measurement that do not depend on the session that it belongs to.
  mutating func put(_ measurement: StressMeasurement) {
    put("window_s", measurement.window)
    put("beats", measurement.nn.count)
    put(measurement.nn)
    put("artefact_percent", measurement.artefactFraction * 100)
    put("covered_s", measurement.coveredSeconds)
    put("coverage", measurement.coverage)
    put("sensor_class", measurement.sensorClass?.rawValue)
    put("stress", measurement.score?.value)
    put("category", measurement.score?.category.rawValue)
    put("confidence", measurement.confidence.value)
    put("confidence_factors", measurement.confidence)
    put("baseline_\(measurement.metric.rawValue)_ms", measurement.score?.inputs.baselineHRV)
    put("resting_hr_bpm", measurement.score?.inputs.restingHeartRate)
  }

  mutating func put(_ nn: NNSums) {
    for metric in TimeDomainMetric.all { put(metric.key, metric.value(nn)) }
  }

  mutating func put(_ key: String, _ confidence: Confidence) {
    put(key) { factors in
      for (factor, value) in confidence.known { factors.put(factor.rawValue, value) }
    }
  }
}
