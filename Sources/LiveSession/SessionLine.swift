package import HeartRate
import JSONLines
package import Stress

/// One line of a session, decoded.
///
/// The lines are those of `live --json`, which `docs/reference/json.md` specifies. Readers of the feed use the cases and never
/// the keys:
///
/// ```swift
/// guard let line = SessionLine(bytes) else { return }
/// if case .measurement(let measurement) = line.content { print(measurement.statedStress ?? .nan) }
/// ```
package struct SessionLine: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case link(Link)
    case notification(Notification)
    case measurement(LiveMeasurement)
    /// Breaths per minute from the movement of the chest; nil if unknown.
    case motion(respiration: Double?)
    case gap
    case mark(String)
    case end
    /// A line without live values.
    case other
  }

  /// A change of the link, or the charge of the strap's battery. Absent members are unchanged.
  package struct Link: Equatable, Sendable {
    package var state: String?
    package var isStale: Bool?
    package var strap: String?
    package var strapName: String?
    /// In percent.
    package var battery: Int?
  }

  package struct Notification: Equatable, Sendable {
    /// Heart rate that the sensor sent, in bpm; nil if it is implausible.
    package var heartRate: Double?
    package var intervals: [RRInterval]
  }

  package let content: Content
  /// RFC 3339; nil for RR text.
  package let time: String?
  /// Seconds since the beginning of the session.
  package let seconds: Double?

  /// Nil if the bytes are not an object with a type.
  package init?(_ bytes: [UInt8]) {
    guard let object = try? JSONObject(bytes), let type = object.text("type") else { return nil }
    (time, seconds) = (object.text("time"), object.value("monotonic_s"))
    switch type {
    case "link": content = .link(Link(object))
    case "notification":
      content = .notification(
        Notification(heartRate: object.heartRate("hr_bpm"), intervals: object.intervals("rr_ms")))
    case "measurement": content = .measurement(LiveMeasurement(object))
    case "motion": content = .motion(respiration: object.value("respiration_brpm"))
    case "gap": content = .gap
    case "mark": content = object.text("text").map(Content.mark) ?? .other
    case "end": content = .end
    default: content = .other
    }
  }
}

/// The values of a measurement line that displays and outlets use.
package struct LiveMeasurement: Equatable, Sendable {
  /// RFC 3339.
  package let time: String?
  /// The provisional verdict of the newest beat.
  package let verdict: String?
  /// In ms.
  package let rmssd: Double?
  package let sdnn: Double?
  /// Mean heart rate of the window in bpm.
  package let meanHeartRate: Double?
  /// 0 to 100, also while it is not stated.
  package let stress: Double?
  /// Bounds of the 90 % interval of `stress`.
  package let low: Double?
  package let high: Double?
  /// 0 to 1; nil if the line does not contain it.
  package let confidence: Double?
  /// The known factors of the confidence.
  package let factors: Confidence
  /// Percentage of the window's beats that are not normal.
  package let artefacts: Double?
  /// Seconds of data in the window, and its length.
  package let collected: Double?
  package let window: Double?
  private let category: StressCategory?
  private let isMoving: Bool

  /// Why no stress level is stated; nil if it is stated, and without a stress value.
  package var suspension: ScoreSuspension? {
    guard stress != nil else { return isMoving ? .moving : factors.indicatesExertion ? .exertion : nil }
    return isMoving ? .moving : factors.suspension ?? (category == nil ? .irregularRhythm : nil)
  }

  /// The stress value to show; nil during motion and exertion, and in an irregular rhythm.
  package var statedStress: Double? { suspension == nil ? stress : nil }
  package var statedCategory: StressCategory? { suspension == nil ? category : nil }

  fileprivate init(_ object: JSONObject) {
    (time, verdict) = (object.text("time"), object.text("verdict"))
    (rmssd, sdnn) = (object.value("rmssd_ms"), object.value("sdnn_ms"))
    meanHeartRate = object.heartRate("mean_hr_bpm")
    (stress, low, high) = (object.value("stress"), object.value("stress_low"), object.value("stress_high"))
    category = object.text("category").flatMap(StressCategory.init(rawValue:))
    confidence = object.value("confidence")
    let known = object["confidence_factors"].flatMap(object.object)
    factors = Confidence.Factor.allCases.reduce(into: Confidence()) { confidence, factor in
      confidence[factor] = known?.value(named: factor.rawValue)
    }
    isMoving = object["moving"].flatMap(object.boolean) ?? factors.indicatesLocomotion
    artefacts = object.value("artefact_percent")
    (collected, window) = (object.value("covered_s"), object.value("window_s"))
  }
}

extension SessionLine.Link {
  fileprivate init(_ object: JSONObject) {
    (state, isStale) = (object.text("state"), object["stale"].flatMap(object.boolean))
    (strap, strapName) = (object.text("strap"), object.text("strap_name"))
    battery = object.integer("battery_percent").flatMap { (0...100).contains($0) ? $0 : nil }
  }
}

extension JSONObject {
  /// The longest interval: a day.
  private static let longestInterval = 86_400_000 * RRInterval.ticksPerMillisecond

  /// A heart rate in bpm, which has 16 bits in notifications; nil for any other value.
  fileprivate func heartRate(_ key: StaticString) -> Double? {
    value(key).flatMap { (0...65535).contains($0) ? $0 : nil }
  }

  /// The RR intervals of a member in ms, exact; empty if it is missing or contains anything else.
  fileprivate func intervals(_ key: StaticString) -> [RRInterval] {
    let elements = self[key].flatMap(elements) ?? []
    let ticks = elements.map { element in
      number(element)?.ticks(perUnit: RRInterval.ticksPerMillisecond, limit: Self.longestInterval)
    }
    return ticks.contains(nil) ? [] : ticks.compactMap { $0.map(RRInterval.init(ticks:)) }
  }
}
