import HRV
import HeartRate
import Stress
import TestSupport

/// Builds a session beat by beat.
struct Session {
  var events: [SessionEvent] = []
  private(set) var time = SessionTime.zero

  /// Appends a notification with `gattUnits` that arrives at the end of the last interval.
  mutating func notify(_ gattUnits: UInt16..., heartRate: UInt16 = 70, contact: SensorContact = .detected) {
    for units in gattUnits { time = time + RRInterval(gattUnits: units) }
    let value = HeartRateMeasurement(
      heartRate: heartRate, contact: contact, rrIntervals: RRIntervals(gattUnits: gattUnits))
    events.append(SessionEvent(at: time, .notification(payload: value.encoded())))
  }

  /// Appends a notification that arrives at `seconds`, or with the previous one if that is later.
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

  /// A resting heart: intervals around 870/1024 s with a respiratory modulation of 50/1024 s and noise.
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
  /// An output of the engine.
  enum Output: Equatable {
    case part(BeatStream.Event)
    case measurement(StressMeasurement)
  }

  /// Processes `events` and returns all outputs in order.
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

  /// Processes `events` with a new engine and returns the measurements.
  static func measurements(
    of events: [SessionEvent], settings: Settings = Settings(), baseline: Baseline = .populationDefault
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
  /// A mature baseline with the values of the population default.
  static let mature = Baseline(rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 30, origin: .learned)
}
