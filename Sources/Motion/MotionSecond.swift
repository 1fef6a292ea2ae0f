public import HeartRate

/// The movement of a second.
public enum MotionClass: String, Sendable, CaseIterable {
  /// At rest: breathing and the heartbeat only.
  case still
  /// Movement without a rhythm, such as gestures, typing or a change of posture.
  case fidget
  case walk
  case run

  /// Whether the person walks or runs.
  public var isLocomotion: Bool { self == .walk || self == .run }
}

/// The direction of gravity relative to the chest, from the axis that points out of the chest.
///
/// Lying on one side cannot be distinguished from standing, because the direction of the other two axes depends on how
/// the strap is worn.
public enum Posture: String, Sendable, CaseIterable {
  /// Standing or sitting, at most 35° from the vertical.
  case upright
  /// Leaning back or forward.
  case inclined
  /// On the back or on the stomach.
  case lying
}

/// The features of one second of acceleration.
public struct MotionSecond: Equatable, Sendable {
  /// End of the second in session time.
  public var time: SessionTime
  public var motion: MotionClass
  /// Mean amplitude deviation (MAD) in mg: the mean absolute difference between the length of the acceleration vector and
  /// its mean (Vähä-Ypyä et al. 2015). Independent of orientation and of the calibration of the sensor.
  public var intensity: Double
  /// Euclidean norm minus one (ENMO) in mg, negative values rounded to zero (van Hees et al. 2013).
  public var enmo: Double
  public var posture: Posture
  /// Whether the direction of gravity changed by more than 30° since the last stable posture.
  public var hasPostureChange: Bool
  /// Breaths per minute, from the movement of the chest in the last 30 s. Unknown while the chest moves otherwise, and if the
  /// movement is not periodic.
  public var respirationRate: Double?

  public init(
    time: SessionTime, motion: MotionClass, intensity: Double, enmo: Double, posture: Posture,
    hasPostureChange: Bool = false, respirationRate: Double? = nil
  ) {
    self.time = time
    self.motion = motion
    self.intensity = intensity
    self.enmo = enmo
    self.posture = posture
    self.hasPostureChange = hasPostureChange
    self.respirationRate = respirationRate
  }
}
