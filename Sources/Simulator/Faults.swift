/// Rates of simulated artefacts and connection faults per hour.
///
/// No fault occurs in the first ``SimulatedStrap/faultlessSeconds``.
public struct Faults: Equatable, Sendable {
  /// Premature beats, each followed by a compensatory pause.
  public var ectopicsPerHour: Double
  /// R peaks that the sensor does not detect: two RR intervals are merged.
  public var missedPerHour: Double
  /// False detections: one RR interval is split into two.
  public var extraPerHour: Double
  /// Connection losses of 4 to 20 s.
  public var dropoutsPerHour: Double
  /// Losses of skin contact for 5 to 15 s, with notifications without RR.
  public var contactLossesPerHour: Double

  public init(
    ectopicsPerHour: Double = 0, missedPerHour: Double = 0, extraPerHour: Double = 0,
    dropoutsPerHour: Double = 0, contactLossesPerHour: Double = 0
  ) {
    self.ectopicsPerHour = ectopicsPerHour
    self.missedPerHour = missedPerHour
    self.extraPerHour = extraPerHour
    self.dropoutsPerHour = dropoutsPerHour
    self.contactLossesPerHour = contactLossesPerHour
  }

  public static let none = Faults()

  /// A healthy person with a well-fitted strap on an active day.
  public static let typical = Faults(
    ectopicsPerHour: 12, missedPerHour: 8, extraPerHour: 4, dropoutsPerHour: 2, contactLossesPerHour: 0.5)
}
