public import HRV
public import HeartRate
public import Stress

/// What a live view shows: everything up to the last event, nothing from a clock.
public struct LiveState: Sendable {
  public private(set) var now = SessionTime.zero
  public private(set) var wall: WallTime?
  public private(set) var link: LinkChange?
  public private(set) var strap: StrapIdentity?
  public private(set) var battery: BatteryLevel?
  public private(set) var contact = SensorContact.unsupported
  /// As the sensor computed it, in bpm.
  public private(set) var heartRate: UInt16?
  public private(set) var measurement: StressMeasurement?
  /// What kind of intervals the sensor sends, once that is known.
  public private(set) var sensorClass: SensorClass?
  /// The last RR intervals, oldest first, with their verdicts.
  public private(set) var recentBeats: [Beat] = []
  public private(set) var beats = 0
  public private(set) var artefacts = 0
  public private(set) var gaps = 0
  public private(set) var gapSeconds = 0.0
  public private(set) var notifications = 0
  public private(set) var undecodable = 0
  public private(set) var marks = 0
  public private(set) var hasEnded = false

  /// How fast the person breathes, as the heart shows; see ``lookForBreath()``.
  public internal(set) var respiration: RespirationRate?
  var nextLookForBreath = SessionTime.zero
  private var liveness = Liveness()
  /// Whether the display was paused here, while the session went on.
  public private(set) var isHeld = false
  /// Stress and RMSSD, one of each second with a beat, oldest first; RMSSD of at least 20 normal beats.
  public private(set) var trend: [TrendPoint] = []

  /// The newest so many are always there, and at most twice as many.
  public static let recentBeatsKept = 400
  /// How many seconds a trend reaches back, at most; as many of its newest points are always there, and at most twice
  /// as many.
  public static let trendSeconds = 300

  public struct TrendPoint: Equatable, Sendable {
    public let time: SessionTime
    public let stress: Double?
    public let rmssd: Double?
  }

  public init() {}

  public mutating func update(_ event: SessionEvent) {
    now = max(now, event.at)
    wall = event.wall ?? wall
    switch event.kind {
    case .notification, .interval: notifications += 1
    case .link(let change): update(change)
    case .battery(let level): battery = level
    case .mark: marks += 1
    case .end: hasEnded = true
    }
  }

  public mutating func update(_ part: BeatStream.Event) {
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

  public mutating func update(_ measurement: StressMeasurement) {
    self.measurement = measurement
    liveness.receiveMeasurement()
    let second = measurement.time.ticks / RRInterval.ticksPerSecond
    guard trend.last.map({ $0.time.ticks / RRInterval.ticksPerSecond < second }) ?? true else { return }
    if trend.count >= 2 * Self.trendSeconds { trend.removeFirst(Self.trendSeconds) }
    let hasEnough = measurement.nn.count >= StressMeasurement.requiredBeats
    trend.append(
      TrendPoint(
        time: measurement.time, stress: measurement.score?.value,
        rmssd: hasEnough ? measurement.nn.rmssd : nil))
  }

  public mutating func update(_ found: SensorClass) { sensorClass = found }

  /// Whether the values shown are not live: no measurement has arrived since the strap connected, the link is in any
  /// state other than connected, or the display is paused.
  public var isStale: Bool { !hasEnded && (isHeld || !liveness.isLive) }

  /// This state as it stands on a display that is paused while `live` goes on: what becomes of the link is told.
  public func held(while live: LiveState) -> LiveState {
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
    // Many at once: to move all of them up at each beat would cost more than the beat.
    if recentBeats.count >= 2 * Self.recentBeatsKept { recentBeats.removeFirst(Self.recentBeatsKept) }
    recentBeats.append(beat)
  }
}
