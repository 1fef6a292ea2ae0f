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

  public static let recentBeatsKept = 120

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
    case .undecodable: undecodable += 1
    case .gap(let gap):
      gaps += 1
      gapSeconds += gap.seconds
    case .beat(let beat): update(beat)
    }
  }

  public mutating func update(_ measurement: StressMeasurement) { self.measurement = measurement }

  public mutating func update(_ found: SensorClass) { sensorClass = found }

  /// Whether what is on show is no longer live: the link is lost, or silent.
  public var isStale: Bool { !hasEnded && (link?.state == .lost || link?.state == .stale) }

  private mutating func update(_ change: LinkChange) {
    link = change
    strap = change.strap ?? strap
  }

  private mutating func update(_ beat: Beat) {
    beats += 1
    if !beat.verdict.isNormal { artefacts += 1 }
    if recentBeats.count == Self.recentBeatsKept { recentBeats.removeFirst() }
    recentBeats.append(beat)
  }
}
