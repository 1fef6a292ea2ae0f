package import DBus

/// The values of a session on the session bus. A missing number is NaN, and a missing text is empty.
package struct StressmonValues: Sendable {
  /// `live`, else the state of the link, else `starting`.
  package var state = "starting"
  package var person = ""
  /// 0 to 100.
  package var stress: Double?
  package var category: String?
  /// 0 to 1.
  package var confidence: Double?
  /// In bpm.
  package var heartRate: Double?
  /// In ms.
  package var hrv: Double?
  /// Age of the newest measurement in s.
  package var age: Double?

  package init(person: String) { self.person = person }

  package var properties: [String: DBusValue] {
    [
      "State": .string(state), "Person": .string(person), "Age": Self.number(age, decimals: 0),
      "Stress": Self.number(stress), "Category": .string(category ?? ""),
      "Confidence": Self.number(confidence, decimals: 2), "HeartRate": Self.number(heartRate),
      "HRV": Self.number(hrv),
    ]
  }

  /// The arguments of the signal `ReadingFinished`.
  package var reading: [DBusValue] {
    [
      Self.number(stress), .string(category ?? ""), Self.number(confidence, decimals: 2),
      Self.number(heartRate), Self.number(hrv),
    ]
  }

  /// The arguments of the signal `Changed`.
  package var changed: [DBusValue] { [.string(state)] + reading }

  /// Rounded, because changes that no display shows need no signal.
  private static func number(_ value: Double?, decimals: Int = 1) -> DBusValue {
    guard let value, value.isFinite else { return .double(.nan) }
    let scale: Double = decimals == 0 ? 1 : decimals == 1 ? 10 : 100
    return .double((value * scale).rounded() / scale)
  }
}
