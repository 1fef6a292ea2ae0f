package import HeartRate

/// A strap that a profile used, so that it need not be named again.
package struct RememberedStrap: Equatable, Sendable {
  package var strap: StrapIdentity
  /// Where it is worn, if it said so.
  package var bodyLocation: BodySensorLocation?
  package var lastUsed: WallTime

  package init(_ strap: StrapIdentity, bodyLocation: BodySensorLocation? = nil, lastUsed: WallTime) {
    self.strap = strap
    self.bodyLocation = bodyLocation
    self.lastUsed = lastUsed
  }
}
