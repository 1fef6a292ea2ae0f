import HeartRate
import History
import LiveSession
import Stress

/// The values of the cards: those of the newest measurement of a live session, or of the latest stored one.
struct CurrentValues: Equatable, Sendable {
  var heartRate: Double?
  var rmssd: Double?
  var sdnn: Double?
  var respiration: Double?
  var artefacts: Double?
  /// The factors that lower the confidence, the lowest first.
  var doubts: [Doubt] = []

  struct Doubt: Equatable, Sendable {
    let factor: Confidence.Factor
    let value: Double
  }

  init() {}

  init(_ state: LiveSnapshot) {
    let measurement = state.measurement
    heartRate = state.currentHeartRate
    (rmssd, sdnn) = (measurement?.rmssd, measurement?.sdnn)
    (artefacts, respiration) = (measurement?.artefacts, state.respiration)
    doubts = Self.doubts(measurement?.factors.known ?? [])
  }

  init(_ measurement: StoredMeasurement) {
    heartRate = measurement.meanHeartRate
    (rmssd, sdnn) = (measurement.rmssd, measurement.sdnn)
    artefacts = measurement.artefactFraction * 100
    doubts = Self.doubts(measurement.confidence.known)
  }

  private static func doubts(_ factors: [(factor: Confidence.Factor, value: Double)]) -> [Doubt] {
    factors.filter { $0.value < 0.995 }.map { Doubt(factor: $0.factor, value: $0.value) }
      .sorted { ($0.value, $0.factor.rawValue) < ($1.value, $1.factor.rawValue) }
  }
}
