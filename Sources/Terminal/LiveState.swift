package import HRV
package import HeartRate
package import Stress

/// The content of a live view, derived from the events of a session and from no clock.
package struct LiveState: Sendable {
  package private(set) var now = SessionTime.zero
  package private(set) var wall: WallTime?
  package private(set) var link: LinkChange?
  package private(set) var strap: StrapIdentity?
  package private(set) var battery = BatteryWatch()
  package private(set) var contact = SensorContact.unsupported
  /// Heart rate computed by the sensor, in bpm.
  package private(set) var heartRate: UInt16?
  package private(set) var measurement: StressMeasurement?
  /// The kind of intervals that the sensor sends; nil before it is known.
  package private(set) var sensorClass: SensorClass?
  /// The last RR intervals with their verdicts, oldest first.
  package private(set) var recentBeats: [Beat] = []
  package private(set) var beats = 0
  package private(set) var artefacts = 0
  package private(set) var gaps = 0
  package private(set) var gapSeconds = 0.0
  package private(set) var notifications = 0
  package private(set) var undecodable = 0
  package private(set) var marks = 0
  package private(set) var hasEnded = false

  /// Respiration rate estimated from the beats; see ``lookForBreath()``.
  package internal(set) var respiration: RespirationRate?
  var nextRespirationUpdate = SessionTime.zero
  private var liveness = Liveness()
  /// Whether this is the state of a paused display while the session continues.
  package private(set) var isHeld = false
  /// Stress and RMSSD, one point per second with a beat, oldest first.
  package private(set) var trend: [TrendPoint] = []

  /// Minimum number of the newest beats that are kept; at most twice as many are.
  package static let recentBeatsKept = 400
  /// Maximum length of a trend in seconds, and minimum number of its newest points that are kept; at most twice as many
  /// are.
  package static let trendSeconds = 300

  package struct TrendPoint: Equatable, Sendable {
    package let time: SessionTime
    package let stress: Double?
    package let rmssd: Double?
  }

  package init() {}

  /// Whether the stress value has no category: the person walks or runs, the heart rate is that of exertion, or the rhythm is
  /// irregular.
  package var lacksCategory: Bool { measurement.map { $0.score != nil && $0.statedCategory == nil } ?? false }

  package mutating func update(_ event: SessionEvent) {
    now = max(now, event.at)
    wall = event.wall ?? wall
    switch event.kind {
    case .notification, .interval: notifications += 1
    case .link(let change): update(change)
    case .battery(let level): battery.update(level)
    case .mark: marks += 1
    case .sensorFrame, .stream: break
    case .end: hasEnded = true
    }
  }

  package mutating func update(_ part: BeatStream.Event) {
    switch part {
    case .notification(let measurement):
      heartRate = measurement.plausibleHeartRate
      contact = measurement.contact
      if link?.state == .stale { link?.state = .connected }
      liveness.update(measurement)
    case .undecodable: undecodable += 1
    case .gap(let gap):
      gaps += 1
      gapSeconds += gap.seconds
    case .beat(let beat): update(beat)
    }
  }

  package mutating func update(_ measurement: StressMeasurement) {
    self.measurement = measurement
    liveness.receiveMeasurement()
    let second = measurement.time.ticks / RRInterval.ticksPerSecond
    guard trend.last.map({ $0.time.ticks / RRInterval.ticksPerSecond < second }) ?? true else { return }
    if trend.count >= 2 * Self.trendSeconds { trend.removeFirst(Self.trendSeconds) }
    trend.append(
      TrendPoint(
        time: measurement.time, stress: measurement.score?.value,
        rmssd: measurement.rmssd))
  }

  package mutating func update(_ found: SensorClass) { sensorClass = found }

  /// Whether the values shown are not live: no measurement has arrived since the strap connected, the link is in any
  /// state other than connected, or the display is paused.
  package var isStale: Bool { !hasEnded && (isHeld || !liveness.isLive) }

  /// This state for a paused display, with the link of the running session `live`.
  package func held(while live: LiveState) -> LiveState {
    var held = self
    (held.isHeld, held.link) = (true, live.link)
    return held
  }

  private mutating func update(_ change: LinkChange) {
    link = change
    liveness.update(change)
    strap = change.strap ?? strap
  }

  private mutating func update(_ beat: Beat) {
    beats += 1
    if !beat.verdict.isNormal { artefacts += 1 }
    // Removes many at once: removing one per beat would cost more than the beat.
    if recentBeats.count >= 2 * Self.recentBeatsKept { recentBeats.removeFirst(Self.recentBeatsKept) }
    recentBeats.append(beat)
  }
}

extension LiveState {
  /// Estimates ``respiration`` from the beats of the last two minutes, at most every five seconds.
  ///
  /// A spectrum costs as much as hundreds of beats, so it is computed for a drawn frame, not for each beat. Two minutes resolve
  /// rates that differ by 0.5 breaths per minute, and a peak needs 0.66 of the power to be distinguished from noise
  /// (``RespirationRate``); the minimum is one minute, which needs 0.83.
  package mutating func lookForBreath() {
    guard now >= nextRespirationUpdate else { return }
    nextRespirationUpdate = SessionTime(ticks: now.ticks + 5 * RRInterval.ticksPerSecond)
    let start = now.ticks - 120 * RRInterval.ticksPerSecond
    let recent = recentBeats.reversed().prefix { $0.end.ticks > start }.count
    respiration = RespirationRate(NNSegments(recentBeats.suffix(recent)))
  }
}
