import HRV
import HeartRate
import Stress
import TestSupport

/// Sessions made by hand, beat by beat.
struct Session {
  var events: [SessionEvent] = []
  private(set) var time = SessionTime.zero

  /// A notification of `gattUnits`, which arrives when the last of them ends.
  mutating func notify(_ gattUnits: UInt16..., heartRate: UInt16 = 70, contact: SensorContact = .detected) {
    for units in gattUnits { time = time + RRInterval(gattUnits: units) }
    let value = HeartRateMeasurement(
      heartRate: heartRate, contact: contact, rrIntervals: RRIntervals(gattUnits: gattUnits))
    events.append(SessionEvent(at: time, .notification(payload: value.encoded())))
  }

  /// A notification that arrives at `seconds`, or with the one before it.
  mutating func bundle(_ gattUnits: [UInt16], at seconds: Double) {
    time = max(time, SessionTime(ticks: Int64(seconds * 8e7)))
    let value = HeartRateMeasurement(
      heartRate: 70, contact: .detected, rrIntervals: RRIntervals(gattUnits: gattUnits))
    events.append(SessionEvent(at: time, .notification(payload: value.encoded())))
  }

  mutating func add(_ kind: SessionEvent.Kind, after seconds: Int64 = 0) {
    time = time + RRInterval(ticks: seconds * RRInterval.ticksPerSecond)
    events.append(SessionEvent(at: time, kind))
  }

  /// A heart at rest: intervals near 850 ms that swing by some 50 ms with the breath.
  static func rest(beats: Int, seed: UInt64 = 1) -> Session {
    var random = SeededGenerator(seed: seed)
    var session = Session()
    for beat in 0..<beats {
      let swing = [0, 30, 50, 30, 0, -30, -50, -30][beat % 8]
      session.notify(UInt16(870 + swing + Int.random(in: -20...20, using: &random)))
    }
    return session
  }
}

extension StressEngine {
  /// What came out, in order.
  enum Output: Equatable {
    case part(BeatStream.Event)
    case measurement(StressMeasurement)
  }

  /// Everything that follows from `events`.
  mutating func events(of events: [SessionEvent]) -> [Output] {
    var all: [Output] = []
    for event in events {
      update(event) {
        all.append(.part($0))
      } measured: {
        all.append(.measurement($0))
      }
    }
    return all
  }

  /// The measurements that follow from `events`.
  static func measurements(
    of events: [SessionEvent], settings: Settings = Settings(), baseline: Baseline = .prior
  ) -> [StressMeasurement] {
    var engine = StressEngine(settings: settings, baseline: baseline)
    return engine.events(of: events).compactMap(\.measurement)
  }
}

extension StressEngine.Output {
  var measurement: StressMeasurement? {
    if case .measurement(let measurement) = self { measurement } else { nil }
  }

  var beat: Beat? {
    if case .part(.beat(let beat)) = self { beat } else { nil }
  }

  var name: String {
    switch self {
    case .part(.notification): "notification"
    case .part(.undecodable): "undecodable"
    case .part(.gap): "gap"
    case .part(.beat): "beat"
    case .measurement: "measurement"
    }
  }
}

extension Baseline {
  /// The prior's values, as if they had been learned long enough.
  static let mature = Baseline(rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 30, origin: .learned)
}
