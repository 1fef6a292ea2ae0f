package import HeartRate
import RealModule

/// A limit that the person sets, such as `hr > 170 for 30s`.
///
/// ```swift
/// let alarms = AlarmCondition.list("hr > 170 for 30s; rmssd < 15 for 1m")
/// ```
package struct AlarmCondition: Equatable, Sendable, CustomStringConvertible {
  package enum Quantity: String, CaseIterable, Sendable {
    /// The heart rate that the sensor sends, in bpm.
    case heartRate = "hr"
    /// The stress value. Without movement and exertion only.
    case stress
    /// In ms.
    case rmssd

    /// The limits that make sense, in the unit of the quantity.
    package var limits: ClosedRange<Double> {
      switch self {
      case .heartRate: 20...250
      case .stress: 0...100
      case .rmssd: 1...300
      }
    }
  }

  package let quantity: Quantity
  package let isAbove: Bool
  package let limit: Double
  /// Time in seconds for which the condition holds without interruption.
  package let seconds: Double

  /// 1 s to 1 h.
  package static let durations = 1.0...3600.0
  /// Number of conditions in a list.
  package static let mostConditions = 8

  /// Parses `QUANTITY > LIMIT for TIME`: the quantity is hr, stress or rmssd, and the time a number with s, m or h.
  package init?(_ text: some StringProtocol) {
    let spaced = text.lowercased().replacing("<", with: " < ").replacing(">", with: " > ")
    let words = spaced.split(whereSeparator: \.isWhitespace)
    guard words.count == 5, let quantity = Quantity(rawValue: String(words[0])),
      words[1] == ">" || words[1] == "<", let limit = Double(words[2]), quantity.limits.contains(limit),
      words[3] == "for", let seconds = Self.seconds(words[4]), Self.durations.contains(seconds)
    else { return nil }
    (self.quantity, isAbove, self.limit, self.seconds) = (quantity, words[1] == ">", limit, seconds)
  }

  private static func seconds(_ text: Substring) -> Double? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), text.first?.isNumber ?? false else { return nil }
    return Double(text.dropLast()).map { $0 * unit }
  }

  /// Parses conditions that are separated by semicolons. Fails if one of them is invalid, and for an empty list.
  package static func list(_ text: String) -> [AlarmCondition]? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let conditions = parts.compactMap { AlarmCondition($0) }
    return conditions.count == parts.count && parts.count <= mostConditions ? conditions : nil
  }

  /// The condition in the form that is parsed: `hr > 170 for 30s`.
  package var description: String {
    let unit: (Double, String) = seconds.truncatingRemainder(dividingBy: 60) == 0 ? (60, "m") : (1, "s")
    return
      "\(quantity.rawValue) \(isAbove ? ">" : "<") \(Self.number(limit)) for \(Self.number(seconds / unit.0))\(unit.1)"
  }

  /// The limit in as many decimals as it has.
  package var limitText: String { Self.number(limit) }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  func holds(_ value: Double) -> Bool { isAbove ? value > limit : value < limit }
}

/// Evaluates one alarm during a session.
///
/// An alarm is raised once its condition has held for its time, and again every 5 minutes while it holds. Values that are not
/// live end the condition: data that pause for 10 s, and a lost link.
///
/// - Complexity: O(1) per value; no allocation.
package struct AlarmWatch: Sendable {
  /// Time between alarms of one condition in seconds.
  package static let leastDistance = 300.0
  /// Confidence that stress and RMSSD need.
  package static let leastConfidence = 0.5

  package let condition: AlarmCondition
  private var since: SessionTime?
  private var last: SessionTime?
  private var raised: SessionTime?

  package init(_ condition: AlarmCondition) { self.condition = condition }

  /// The values are not live.
  package mutating func interrupt() { since = nil }

  /// Processes the heart rate of a notification in bpm. Returns whether the alarm is raised now.
  package mutating func update(heartRate: Double, at time: SessionTime) -> Bool {
    condition.quantity == .heartRate && update(heartRate, at: time)
  }

  /// Processes a measurement. Returns whether the alarm is raised now.
  package mutating func update(_ measurement: StressMeasurement) -> Bool {
    let isCertain = measurement.confidence.value >= Self.leastConfidence
    switch condition.quantity {
    case .heartRate: return false
    case .stress:
      let value = measurement.statedCategory == nil ? nil : measurement.score?.value
      return update(isCertain ? value : nil, at: measurement.time)
    case .rmssd: return update(isCertain ? measurement.rmssd : nil, at: measurement.time)
    }
  }

  private mutating func update(_ value: Double?, at time: SessionTime) -> Bool {
    defer { last = time }
    guard let value, condition.holds(value) else {
      since = nil
      return false
    }
    if let last, seconds(last, time) > PromptRule.longestPause { since = nil }
    let start = since ?? time
    since = start
    guard seconds(start, time) >= condition.seconds,
      raised.map({ seconds($0, time) >= Self.leastDistance }) ?? true
    else { return false }
    raised = time
    return true
  }

  private func seconds(_ from: SessionTime, _ to: SessionTime) -> Double {
    Double(to.ticks - from.ticks) / Double(RRInterval.ticksPerSecond)
  }
}
