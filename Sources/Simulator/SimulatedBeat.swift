public import HeartRate

/// One beat as the sensor detects it, with the truth about it that no strap could tell.
public struct SimulatedBeat: Equatable, Sendable {
  /// When the beat came, in the strap's exact running sum of RR.
  public var end: SessionTime
  /// Time since the beat before, a whole number of 1/1024 s.
  public var rr: RRInterval
  public var state: State
  public var origin: Origin

  /// What the person is going through.
  public enum State: Sendable, CaseIterable {
    case resting
    case stressed
    /// On the way from one to the other.
    case changing
  }

  /// How the RR came about.
  public enum Origin: Sendable, CaseIterable {
    case sinus
    /// Ends in a premature beat.
    case ectopic
    /// The compensatory pause after a premature beat.
    case pause
    /// Spans a beat that the sensor missed.
    case missed
    /// One of the two parts into which a false detection cut an RR.
    case extra
  }
}
