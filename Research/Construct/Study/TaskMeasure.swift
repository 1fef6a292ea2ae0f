import HRV
import RealModule
import Stress

/// A number computed from a minute that could indicate stress. Each increases with stress.
package enum TaskMeasure: CaseIterable, Sendable {
  /// The stress value.
  case stress
  /// The stress value with weights of 0.5 for HRV and 0.5 for the heart rate instead of 0.7 and 0.3.
  case equalWeights
  /// Mean heart rate in bpm.
  case heartRate
  /// - ln RMSSD.
  case lnRMSSD
  /// The stress index of Kubios HRV: the square root of Baevsky's index.
  case stressIndex
  /// ln LF / HF. The minute is shorter than the two minutes that LF requires (Task Force 1996).
  case lfHF

  /// What a minute is compared with.
  package enum Reference: CaseIterable, Sendable {
    /// The person's first minute of sitting.
    case own
    /// For the stress values the population default; for other measures nothing.
    case population
  }

  package var name: String {
    switch self {
    case .stress: "stress value"
    case .equalWeights: "stress value, weights 0.5 and 0.5"
    case .heartRate: "heart rate"
    case .lnRMSSD: "-ln RMSSD"
    case .stressIndex: "stress index of Kubios"
    case .lfHF: "ln LF/HF"
    }
  }

  /// Returns the measure of a minute; nil if the minute does not permit it.
  package func value(_ minute: TaskMinute, of person: TaskPerson, _ reference: Reference) -> Double? {
    let measurement = reference == .own ? minute.own : minute.standard
    switch self {
    case .stress: return measurement.score?.value
    case .equalWeights: return measurement.score.map { 50 * ($0.hrvComponent + $0.heartRateComponent) }
    case .heartRate, .lnRMSSD, .stressIndex, .lfHF:
      guard reference == .own else { return absolute(minute) }
      return absolute(minute).flatMap { value in absolute(person.rest).map { value - $0 } }
    }
  }

  private func absolute(_ minute: TaskMinute) -> Double? {
    switch self {
    case .stress, .equalWeights: nil
    case .heartRate: minute.own.nn.meanHeartRate
    case .lnRMSSD: minute.own.nn.lnRMSSD.map { -$0 }
    case .stressIndex: StressIndex(minute.segments, minimumBeats: 1).value.value?.squareRoot()
    case .lfHF: Self.lnRatio(minute.segments)
    }
  }

  private static func lnRatio(_ segments: NNSegments) -> Double? {
    guard let spectrum = SpectralBands(lombScargle: segments).spectrum else { return nil }
    let ratio = spectrum.power(in: SpectralBands.lfBand) / spectrum.power(in: SpectralBands.hfBand)
    return ratio.isFinite && ratio > 0 ? Double.log(ratio) : nil
  }
}
