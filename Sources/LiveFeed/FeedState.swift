package import JSONLines
package import Stress

/// The newest values of a live session, from the lines of its feed.
package struct FeedState: Equatable, Sendable {
  package let session: String
  package let profile: String
  package let isSimulated: Bool
  /// The last state of the link.
  package private(set) var link: String?
  /// Whether the newest values are not live, as the lines state.
  package private(set) var isStale: Bool
  package private(set) var strap: String?
  package private(set) var strapName: String?
  /// Breaths per minute from the movement of the chest; nil if unknown.
  package private(set) var respiration: Double?
  /// Time of `respiration`, RFC 3339.
  package private(set) var respirationTime: String?
  /// Number of interruptions of the data.
  package private(set) var gaps = 0
  /// Charge of the strap's battery in percent; nil until it is known.
  package private(set) var battery: Int?
  /// The latest marks, the newest last.
  package private(set) var marks: [FeedMark] = []
  /// The heart rate of the latest notification; nil before the first one.
  package private(set) var heartRate: FeedHeartRate?
  /// The latest measurement; nil before the first one.
  package private(set) var measurement: FeedMeasurement?

  private static let mostMarks = 64

  package init(_ hello: FeedHello) {
    (session, profile, isSimulated) = (hello.session, hello.profile, hello.isSimulated)
    (link, isStale) = (hello.state, hello.isStale)
    (strap, strapName, battery) = (hello.strap, hello.strapName, hello.battery)
  }

  package mutating func update(_ line: FeedLine) {
    guard let object = try? JSONObject(line.bytes), let type = object.text("type") else { return }
    switch type {
    case "link":
      link = object.text("state") ?? link
      isStale = object["stale"].flatMap(object.boolean) ?? isStale
      strap = object.text("strap") ?? strap
      strapName = object.text("strap_name") ?? strapName
      battery = object.integer("battery_percent").flatMap { (0...100).contains($0) ? $0 : nil } ?? battery
    case "notification":
      guard let value = object.heartRate("hr_bpm"), let time = object.text("time") else { return }
      heartRate = FeedHeartRate(value: value, time: time)
      // Without RR intervals there are no measurements, so the heart rate is the live value.
      if measurement == nil, link == "connected" { isStale = false }
    case "measurement":
      measurement = FeedMeasurement(object)
      isStale = false
    case "motion":
      respiration = object.value("respiration_brpm")
      respirationTime = object.text("time")
    case "gap": gaps += 1
    case "mark":
      guard let text = object.text("text"), let time = object.text("time") else { return }
      marks = marks.suffix(Self.mostMarks - 1) + [FeedMark(text: text, time: time)]
    case "end": isStale = true
    default: break
    }
  }
}

/// A mark of a session: a note of the user, or a stage of a guided exercise.
package struct FeedMark: Equatable, Sendable {
  package let text: String
  /// RFC 3339.
  package let time: String

  package init(text: String, time: String) { (self.text, self.time) = (text, time) }
}

/// A heart rate that the sensor sent.
package struct FeedHeartRate: Equatable, Sendable {
  /// In bpm.
  package let value: Double
  /// Time of arrival, RFC 3339.
  package let time: String
}

/// The values of a measurement line that displays and outlets use.
package struct FeedMeasurement: Equatable, Sendable {
  /// RFC 3339.
  package let time: String?
  /// In ms.
  package let rmssd: Double?
  package let sdnn: Double?
  /// Mean heart rate of the window in bpm.
  package let heartRate: Double?
  /// 0 to 100.
  package let stress: Double?
  package let low: Double?
  package let high: Double?
  package let category: String?
  /// 0 to 1.
  package let confidence: Double?
  /// Whether the heart rate is that of exertion, so that the stress value is not stated.
  package let isExerting: Bool
  /// Percentage of the window's beats that are not normal.
  package let artefacts: Double?
  /// The known factors of the confidence.
  package let factors: [Confidence.Factor: Double]
  /// Seconds of data in the window, and its length.
  package let collected: Double?
  package let window: Double?

  init(_ object: JSONObject) {
    time = object.text("time")
    (rmssd, sdnn) = (object.value("rmssd_ms"), object.value("sdnn_ms"))
    heartRate = object.heartRate("mean_hr_bpm")
    (stress, low, high) = (object.value("stress"), object.value("stress_low"), object.value("stress_high"))
    category = object.text("category")
    confidence = object.value("confidence")
    let factors = object["confidence_factors"].flatMap(object.object)
    isExerting = factors.flatMap { $0.value("exertion") }.map { $0 < ExertionEstimator.clear } ?? false
    artefacts = object.value("artefact_percent")
    self.factors = Confidence.Factor.allCases.reduce(into: [:]) {
      $0[$1] = factors?.value(named: $1.rawValue)
    }
    (collected, window) = (object.value("covered_s"), object.value("window_s"))
  }
}

extension JSONObject {
  /// Magnitude up to which a `Double` represents every integer.
  private static let limit = 9_007_199_254_740_992.0

  /// The text of a member; nil if it is missing or no string.
  package func text(_ key: StaticString) -> String? { self[key].flatMap(string) }

  /// The number of a member; nil if it is missing, no number, or above 2^53 in magnitude, so that every conversion to an
  /// integer of 64 bits succeeds.
  package func value(_ key: StaticString) -> Double? { self[key].flatMap(value) }

  /// The number of a member whose name is not a literal, as ``value(_:)-(StaticString)``.
  package func value(named key: String) -> Double? { self[named: key].flatMap(value) }

  /// The integer of a member; nil if it is missing, no integer, or above 2^53 in magnitude.
  package func integer(_ key: StaticString) -> Int? { value(key).flatMap { Int(exactly: $0) } }

  /// A heart rate in bpm, which has 16 bits in notifications; nil for any other value.
  fileprivate func heartRate(_ key: StaticString) -> Double? {
    value(key).flatMap { (0...65535).contains($0) ? $0 : nil }
  }

  /// The number, as ``value(_:)-(StaticString)``.
  package func value(_ value: Value) -> Double? {
    double(value).flatMap { abs($0) <= Self.limit ? $0 : nil }
  }
}
