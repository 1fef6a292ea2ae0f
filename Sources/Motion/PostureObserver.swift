import HeartRate

/// Derives the posture and its changes from the direction of gravity, once per second.
struct PostureObserver: Sendable {
  private(set) var posture = Posture.upright
  /// Gravity in the last stable posture.
  private var reference: Acceleration?
  private var previous: Acceleration?
  /// Whether gravity turned by more than 12° within the last second.
  private(set) var isTilting = false

  /// Processes the gravity at the end of a second.
  /// - Returns: whether the posture changed.
  mutating func update(_ gravity: Acceleration) -> Bool {
    isTilting = previous.map { gravity.cosine(to: $0) < MotionThresholds.tiltCosine } ?? false
    previous = gravity
    posture = Self.posture(gravity)
    guard let reference, gravity.cosine(to: reference) < MotionThresholds.postureCosine else {
      follow(gravity)
      return false
    }
    self.reference = gravity
    return true
  }

  /// Lets the reference follow slow changes, with a time constant of 30 s.
  private mutating func follow(_ gravity: Acceleration) {
    reference = reference.map { $0 + (gravity - $0) * (1 / 30.0) } ?? gravity
  }

  private static func posture(_ gravity: Acceleration) -> Posture {
    guard gravity.norm > 0 else { return .upright }
    let sine = gravity.z.magnitude / gravity.norm
    if sine >= MotionThresholds.lyingSine { return .lying }
    return sine > MotionThresholds.uprightSine ? .inclined : .upright
  }
}
