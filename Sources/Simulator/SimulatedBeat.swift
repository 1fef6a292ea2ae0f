public import HeartRate

/// A beat as detected by the sensor, with its ground truth.
public struct SimulatedBeat: Equatable, Sendable {
  /// End time in the strap's exact running sum of RR.
  public var end: SessionTime
  /// Time since the previous beat, a multiple of 1/1024 s.
  public var rr: RRInterval
  public var state: State
  public var origin: Origin

  /// State of the simulated person.
  public enum State: Sendable, CaseIterable {
    case resting
    case stressed
    /// In a transition.
    case changing
  }

  /// Origin of the RR interval.
  public enum Origin: Sendable, CaseIterable {
    case sinus
    /// Ends with a premature beat.
    case ectopic
    /// The compensatory pause after a premature beat.
    case pause
    /// Contains a beat that the sensor missed.
    case missed
    /// One of the two parts of an RR interval split by a false detection.
    case extra
  }
}
