/// The limits between the classes of movement.
enum MotionThresholds {
  /// MAD in mg above which a second is not still: the limit between sitting or standing still and light activity of
  /// Vähä-Ypyä et al. 2018 (doi:10.1371/journal.pone.0134813 for the method).
  static let still = 22.5
  /// MAD in mg from which rhythmic movement is walking. Half of the limit of moderate activity of Vähä-Ypyä et al. 2015,
  /// 91 mg, because slow walking is walking too.
  static let walk = 45.0
  /// MAD in mg from which rhythmic movement is running: the limit of vigorous activity of Vähä-Ypyä et al. 2015.
  static let run = 414.0
  /// The same for at least ``runningCadence`` steps per second.
  static let runWithCadence = 250.0
  static let runningCadence = 2.3
  /// Minimum autocorrelation of rhythmic movement.
  static let rhythm = 0.6
  /// Steps per second of walking and running.
  static let cadences = 1.1...4.0
  /// Cosine of the angle between two directions of gravity that is a change of posture (30°).
  static let postureCosine = 0.866
  /// Cosine of the change of gravity within a second that is not still (12°).
  static let tiltCosine = 0.978
  /// Sine of the largest inclination of an upright chest (35°), and of the smallest of a lying one (55°).
  static let uprightSine = 0.574
  static let lyingSine = 0.819
}
