import HRV

/// The requirements that the data of a window must satisfy, for uses other than its stress value.
///
/// The confidence of a stress value also depends on the baseline and on how much the value changes with HRV. RMSSD of a
/// resting minute and a comparison of two periods depend on neither. Each requirement is therefore a limit of one quantity.
public struct DataGates: Equatable, Sendable {
  /// A requirement, by the factor of ``Confidence`` that states its reason.
  public typealias Gate = Confidence.Factor

  /// Least value of the factor ``Confidence/Factor/rhythm``.
  let rhythm: Double
  /// Largest fraction of the beats that are not normal.
  let abnormalBeats: Double
  /// Largest ``WindowQuality/lostData``.
  let lostData: Double
  /// Largest fraction of notifications without contact.
  let contactLost: Double
  /// Largest fraction of successive differences that are zero.
  let unchanged: Double
  /// Least value of the factor ``Confidence/Factor/motion``.
  let motion: Double

  /// For a resting minute. A standard error of 0.08 corresponds to a quarter of the differences of a minute.
  public static let rest = DataGates(
    rhythm: 0.8, abnormalBeats: 0.1, lostData: 0.08, contactLost: 0.5, unchanged: 2.0 / 3, motion: 0.8)

  /// For a window of a period that is compared with another one.
  public static let comparison = DataGates(
    rhythm: 0.5, abnormalBeats: 0.25, lostData: 0.16, contactLost: 0.9, unchanged: 0.75, motion: 0.5)

  private static let gates: [Gate] = [.rhythm, .contact, .sensor, .abnormalBeats, .lostData, .motion]

  /// Returns the requirements that the data do not satisfy.
  public func failures(_ measurement: StressMeasurement) -> [Gate] {
    Self.gates.filter { fails($0, measurement) }
  }

  /// Whether the data satisfy all requirements.
  public func accept(_ measurement: StressMeasurement) -> Bool {
    !Self.gates.contains { fails($0, measurement) }
  }

  private func fails(_ gate: Gate, _ measurement: StressMeasurement) -> Bool {
    switch gate {
    case .rhythm: measurement.confidence[.rhythm] ?? 1 < rhythm
    case .motion: measurement.confidence[.motion] ?? 1 < motion
    case .contact: measurement.quality.contactLost > contactLost
    case .abnormalBeats: measurement.quality.abnormalBeats > abnormalBeats
    case .lostData: measurement.quality.lostData > lostData
    case .sensor: measurement.sensorClass == .smoothed || repeats(measurement.nn) > unchanged
    default: false
    }
  }

  /// The fraction of zero differences; 0 below 20 differences, which are too few.
  private func repeats(_ nn: NNSums) -> Double { nn.differences >= 20 ? nn.unchangedFraction ?? 0 : 0 }
}
