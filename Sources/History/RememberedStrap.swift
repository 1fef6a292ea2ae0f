public import HeartRate

/// A strap that a profile used, so that it need not be named again.
public struct RememberedStrap: Equatable, Sendable {
  public var strap: StrapIdentity
  /// Where it is worn, if it said so.
  public var bodyLocation: BodySensorLocation?
  public var lastUsed: WallTime

  public init(_ strap: StrapIdentity, bodyLocation: BodySensorLocation? = nil, lastUsed: WallTime) {
    self.strap = strap
    self.bodyLocation = bodyLocation
    self.lastUsed = lastUsed
  }
}
