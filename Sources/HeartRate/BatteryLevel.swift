/// Charge of the sensor's battery: Battery Level (0x2A19), 0 to 100 percent.
public struct BatteryLevel: Hashable, Sendable {
  /// Charge, 0 to 100 percent.
  public let percent: UInt8

  /// Nil above 100 percent, which the specification reserves.
  public init?(percent: UInt8) {
    guard percent <= 100 else { return nil }
    self.percent = percent
  }

  /// Decodes the characteristic's value; nil when it is empty or above 100 percent.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(percent: first)
  }
}
