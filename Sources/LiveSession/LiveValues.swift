import Design
import HeartRate
package import Stress

/// The values of a live session that outlets, status lines and metrics publish. A value without data is nil.
package struct LiveValues: Equatable, Sendable {
  /// Whether the values are live. If not, all of them are nil: they are withdrawn.
  package var isLive = false
  /// In bpm.
  package var heartRate: Int?
  /// Mean of the window in bpm.
  package var meanHeartRate: Double?
  /// In ms.
  package var rmssd: Double?
  package var sdnn: Double?
  /// 0 to 100.
  package var stress: Double?
  package var category: StressCategory?
  /// 0 to 1.
  package var confidence: Double?
  /// In percent.
  package var battery: Int?
  /// The session, also while its values are not live. Nil while no session runs.
  package var session: SessionState?

  package init() {}

  package static let withdrawn = LiveValues()

  /// The properties of a session that do not depend on live data.
  package struct SessionState: Equatable, Sendable {
    package var id: String
    package var profile: String
    package var strap: String?
    package var isSimulated: Bool
    package var isConnected: Bool
    /// Whether the strap touches the skin, if the strap reports it.
    package var isWorn: Bool?
    package var counts: SessionCounts
  }
}

extension LiveValues {
  /// The values of a session.
  /// - Parameter isLive: whether they are live; otherwise they are withdrawn.
  package init(_ snapshot: LiveSnapshot, isLive: Bool) {
    session = SessionState(
      id: snapshot.session, profile: snapshot.profile, strap: snapshot.strap,
      isSimulated: snapshot.isSimulated, isConnected: snapshot.state == .connected, isWorn: snapshot.isWorn,
      counts: snapshot.counts)
    guard isLive else { return }
    self.isLive = true
    heartRate = snapshot.currentHeartRate.map { Int($0.rounded()) }
    battery = snapshot.battery
    if let measurement = snapshot.measurement { set(measurement) }
  }

  /// The values of a status, live or not.
  package init(_ status: StatusReport) {
    isLive = status.isLive
    set(status.measurement)
    heartRate = (status.heartRate ?? status.measurement.meanHeartRate).map { Int($0.rounded()) }
    battery = status.battery.map { Int($0.percent) }
  }

  private mutating func set(_ measurement: LiveMeasurement) {
    (rmssd, sdnn, meanHeartRate) = (measurement.rmssd, measurement.sdnn, measurement.meanHeartRate)
    guard let stress = measurement.statedStress else { return }
    (self.stress, category) = (stress, measurement.statedCategory)
    confidence = measurement.confidence
  }
}

/// The values that texts and addresses of outlets name.
package enum ValueName: String, CaseIterable, Sendable {
  case hr
  case stress
  case category
  /// One character for the category: ♣, ●, ▲ or ■.
  case icon
  case rmssd
  case sdnn
  case confidence
  case battery

  /// All names, for messages.
  package static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

extension LiveValues {
  /// A value as text: whole numbers, and the confidence in percent.
  package func text(_ name: ValueName) -> String? {
    switch name {
    case .category: category?.rawValue
    case .icon: category.map { Tokens.category($0).glyph }
    case .confidence: confidence.map { "\(Int(($0 * 100).rounded()))" }
    default: number(name).map { "\(Int($0.rounded()))" }
    }
  }

  /// A value as a number: in bpm, ms or percent; stress 0 to 100, confidence 0 to 1, category 0 (relaxed) to 3 (high).
  package func number(_ name: ValueName) -> Double? {
    switch name {
    case .hr: heartRate.map(Double.init)
    case .stress: stress
    case .category, .icon: category.flatMap { StressCategory.allCases.firstIndex(of: $0) }.map(Double.init)
    case .rmssd: rmssd
    case .sdnn: sdnn
    case .confidence: confidence
    case .battery: battery.map(Double.init)
    }
  }
}
