/// How often what goes wrong with hearts and straps goes wrong, in times an hour.
///
/// Nothing goes wrong in the first ``SimulatedStrap/faultlessSeconds``.
public struct Faults: Equatable, Sendable {
  /// Premature beats, each followed by a compensatory pause.
  public var ectopicsPerHour: Double
  /// R peaks that the sensor does not see: two RR become one.
  public var missedPerHour: Double
  /// Peaks that the sensor sees where there are none: one RR becomes two.
  public var extraPerHour: Double
  /// Losses of the link, for 4 to 20 s.
  public var dropoutsPerHour: Double
  /// Losses of skin contact, for 5 to 15 s: notifications without RR.
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

  /// A healthy person with a well-worn strap on a busy day.
  public static let typical = Faults(
    ectopicsPerHour: 12, missedPerHour: 8, extraPerHour: 4, dropoutsPerHour: 2, contactLossesPerHour: 0.5)
}
