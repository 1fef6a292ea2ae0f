package import HeartRate
package import Localization
package import Stress

/// The newest measurement of a profile, of a live session or from the history, and whether it is current.
package struct StatusReport: Equatable, Sendable {
  package enum Freshness: Equatable, Sendable {
    /// A session is running, its strap is connected, and the measurement is new.
    case live
    /// A session is running or was killed, and the measurement is not current. The reason is stated if it is known.
    case stale(reason: Phrase?)
    /// The session has ended.
    case ended

    /// The value of `state` in JSON.
    package var name: String {
      switch self {
      case .live: "live"
      case .stale: "stale"
      case .ended: "ended"
      }
    }
  }

  /// The direction of HRV.
  package enum Trend: String, Sendable, CaseIterable {
    case up
    case steady
    case down
  }

  /// The data of a session before its first stress value.
  package struct Collected: Equatable, Sendable {
    package let seconds: Double
    package let required: Double

    package init(seconds: Double, required: Double) { (self.seconds, self.required) = (seconds, required) }
  }

  /// The profile, if the history contains others as well.
  package var person: String?
  package var freshness: Freshness
  package var time: WallTime
  /// Age of the measurement in s.
  package var age: Int64
  /// Empty for a session without a measurement.
  package var measurement: LiveMeasurement
  /// The metric of `hrv`.
  package var metric: HRVMetric
  package var isSimulated: Bool
  /// The current heart rate in bpm, that of the latest notification. Only a live session has one.
  package var heartRate: Double?
  /// Omitted if there are too few data to compare.
  package var trend: Trend?
  /// Mean stress of the last quarters of an hour, the newest last. Quarters without measurements are `nil`.
  package var recent: [Double?] = []
  /// Comparison of today with the weeks before.
  package var insight: Phrase?
  /// Normal range of RMSSD. Requires enough earlier readings.
  package var normal: NormalRange?
  /// The local day of the status, in days since 1970-01-01.
  package var today = 0
  /// RMSSD of today's morning reading in ms, if it was taken.
  package var morningRMSSD: Double?
  /// RMSSD of today's morning reading in ms, else that of the measurement. Not stated during exertion.
  package var restingRMSSD: Double?
  /// `HRV 48.2 ms, within your normal 36-53`, with `this morning: ` before it for a morning reading; nil without a normal range.
  package var normalPhrase: Phrase?
  /// The charge of the strap's battery, if known. Only sessions report it.
  package var battery: BatteryLevel?
  /// Nil once the data suffice for a stress value.
  package var collected: Collected?

  package init(
    freshness: Freshness, time: WallTime, age: Int64, measurement: LiveMeasurement, metric: HRVMetric,
    isSimulated: Bool
  ) {
    (self.freshness, self.time, self.age) = (freshness, time, age)
    (self.measurement, self.metric, self.isSimulated) = (measurement, metric, isSimulated)
  }

  package var isLive: Bool { freshness == .live }
  /// The stress value, if the sensor gives one. Not stated during motion and exertion, nor in an irregular rhythm.
  package var stress: Double? { measurement.statedStress }
  package var category: StressCategory? { stress.map(StressCategory.init(score:)) }
  package var mood: BuddyMood? { stress.map(BuddyMood.init(score:)) }
  /// Value of `metric` in ms.
  package var hrv: Double? { measurement.hrv(metric) }
  /// 0 to 1.
  package var confidence: Double { measurement.confidence ?? 0 }
  /// The position of RMSSD in the normal range, unless it is the insight.
  package var otherNormalPhrase: Phrase? { insight == normalPhrase ? nil : normalPhrase }
}

extension StatusReport {
  /// The status of a live session.
  /// - Parameter now: in ns of the boot clock.
  /// - Returns: The status, once the session has a measurement.
  package init?(_ snapshot: LiveSnapshot, metric: HRVMetric, now: Int64) {
    guard let measurement = snapshot.measurement, let time = measurement.time else { return nil }
    self.init(
      freshness: Self.freshness(snapshot, now), time: time, age: snapshot.age(at: now) ?? 0,
      measurement: measurement, metric: metric, isSimulated: snapshot.isSimulated)
    battery = snapshot.battery.flatMap { BatteryLevel(exactly: $0) }
    guard isLive else { return }
    (heartRate, collected) = (snapshot.heartRate?.value, Self.collected(measurement))
  }

  private static func freshness(_ snapshot: LiveSnapshot, _ now: Int64) -> Freshness {
    guard !snapshot.isLive(at: now) else { return .live }
    return switch snapshot.state {
    case .lost, .stale: .stale(reason: Phrase("link lost"))
    case .searching, .connecting: .stale(reason: Phrase("searching for the strap"))
    case .connected: .stale(reason: Phrase("waiting for new data"))
    case nil: .stale(reason: nil)
    }
  }

  /// The data in the window of a measurement, unless they suffice for a stress value.
  private static func collected(_ measurement: LiveMeasurement) -> Collected? {
    guard measurement.stress == nil, let seconds = measurement.collected,
      let required = measurement.requiredSeconds
    else { return nil }
    return seconds < required ? Collected(seconds: seconds, required: required) : nil
  }
}
