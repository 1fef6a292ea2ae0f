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
    /// Breaths per minute from the movement of the chest, if they can be counted.
    case motion(respiration: Double?)
    case ecg(Electrocardiogram)
    /// An interruption of the data, in s.
    case gap(seconds: Double?)
    case mark(String)
    case notice(SessionNotice)
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
    package var reason: String?
  }

  package struct Notification: Equatable, Sendable {
    /// Heart rate that the sensor sent, in bpm. Implausible values are omitted.
    package var heartRate: Double?
    package var intervals: [RRInterval]
    package var contact = SensorContact.unsupported
    /// The kind of intervals that the sensor sends, once it is known.
    package var sensorClass: SensorClass?
    /// Whether the payload could be decoded.
    package var isDecoded = true
  }

  /// A frame of the electrocardiogram, and the numbers of beats that it verified and explained so far.
  package struct Electrocardiogram: Equatable, Sendable {
    /// In µV.
    package var samples: [Double]
    /// In Hz.
    package var rate: Double
    package var hasContact: Bool
    package var verified: Int
    package var explained: Int
    /// Breaths per minute from the amplitudes of the R peaks, if they can be counted.
    package var respiration: Double?

    package init(
      samples: [Double], rate: Double, hasContact: Bool, verified: Int, explained: Int, respiration: Double?
    ) {
      (self.samples, self.rate, self.hasContact) = (samples, rate, hasContact)
      (self.verified, self.explained, self.respiration) = (verified, explained, respiration)
    }
  }

  package let content: Content
  /// RFC 3339. RR text has no times.
  package let time: String?
  /// Seconds since the beginning of the session.
  package let seconds: Double?
  /// ID of the session. RR text has none.
  package let session: String?
  package let profile: String?

  /// The first bytes of the last line of a session.
  package static let endPrefix = Array("{\"\(LineKey.type)\":\"\(LineType.end.rawValue)\"".utf8)

  /// Decodes an object with a type. Other bytes are invalid.
  package init?(_ bytes: [UInt8]) {
    guard let object = try? JSONObject(bytes), let type = object.text(LineKey.type) else { return nil }
    (time, seconds) = (object.text(LineKey.time), object.value(LineKey.seconds))
    (session, profile) = (object.text(LineKey.session), object.text(LineKey.profile))
    switch LineType(rawValue: type) {
    case .link: content = .link(Link(object))
    case .notification: content = .notification(Notification(object))
    case .measurement: content = .measurement(LiveMeasurement(object))
    case .motion: content = .motion(respiration: object.value(LineKey.respiration))
    case .ecg: content = .ecg(Electrocardiogram(object))
    case .gap: content = .gap(seconds: object.value(LineKey.gapLength))
    case .mark: content = object.text(LineKey.text).map(Content.mark) ?? .other
    case .notice: content = SessionNotice(object).map(Content.notice) ?? .other
    case .end: content = .end
    case .stream, nil: content = .other
    }
  }
}

extension SessionNotice {
  /// The members of a notice line. Fails for a notice of a later version.
  fileprivate init?(_ object: JSONObject) {
    switch object.text(LineKey.notice) {
    case "prompt":
      guard let number = object.integer(LineKey.prompt),
        let time = object.text(LineKey.time).flatMap(WallTime.init(rfc3339:)),
        let stress = object.value(LineKey.stress), let confidence = object.value(LineKey.confidence),
        let rmssd = object.value(LineKey.rmssd), let low = object.value(LineKey.normalLow),
        let high = object.value(LineKey.normalHigh), low <= high
      else { return nil }
      self = .prompt(
        Int64(number),
        StressPrompt(
          time: time, stress: stress, confidence: confidence, rmssd: rmssd, normal: low...high))
    case "category":
      guard let category = object.text(LineKey.category).flatMap(StressCategory.init(rawValue:)) else {
        return nil
      }
      self = .category(category)
    case "alarm":
      guard let condition = object.text(LineKey.condition).flatMap({ AlarmCondition($0) }) else {
        return nil
      }
      self = .alarm(condition)
    default: return nil
    }
  }
}

extension SessionLine.Link {
  fileprivate init(_ object: JSONObject) {
    (state, isStale) = (object.text(LineKey.state), object[LineKey.stale].flatMap(object.boolean))
    (strap, strapName) = (object.text(LineKey.strap), object.text(LineKey.strapName))
    battery = object.integer(LineKey.battery).flatMap { (0...100).contains($0) ? $0 : nil }
    reason = object.text(LineKey.reason)
  }
}

extension SessionLine.Electrocardiogram {
  fileprivate init(_ object: JSONObject) {
    samples = object[LineKey.samples].flatMap(object.elements)?.compactMap(object.double) ?? []
    rate = object.value(LineKey.rate).flatMap { $0 >= 1 ? $0 : nil } ?? 130
    hasContact = object[LineKey.ecgContact].flatMap(object.boolean) ?? false
    verified = object.integer(LineKey.verifiedBeats) ?? 0
    explained = object.integer(LineKey.explainedBeats) ?? 0
    respiration = object.value(LineKey.respiration)
  }
}

extension SessionLine.Notification {
  fileprivate init(_ object: JSONObject) {
    heartRate = object.heartRate(LineKey.heartRate)
    intervals = object.intervals(LineKey.intervals)
    contact = object.text(LineKey.contact).flatMap(SensorContact.init(rawValue:)) ?? contact
    sensorClass = object.text(LineKey.sensorClass).flatMap(SensorClass.init(rawValue:))
    isDecoded = object[LineKey.error] == nil
  }
}

extension JSONObject {
  /// The longest interval: a day.
  private static let longestInterval = 86_400_000 * RRInterval.ticksPerMillisecond

  /// A heart rate in bpm. It has 16 bits in notifications; numbers out of this range are ignored.
  func heartRate(_ key: String) -> Double? {
    value(key).flatMap { (0...65535).contains($0) ? $0 : nil }
  }

  /// The RR intervals of a member in ms, exact; empty if it is missing or contains anything else.
  fileprivate func intervals(_ key: String) -> [RRInterval] {
    let elements = self[key].flatMap(elements) ?? []
    let ticks = elements.map { element in
      number(element)?.ticks(perUnit: RRInterval.ticksPerMillisecond, limit: Self.longestInterval)
    }
    return ticks.contains(nil) ? [] : ticks.compactMap { $0.map(RRInterval.init(ticks:)) }
  }
}
