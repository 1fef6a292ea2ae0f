public import HeartRate
public import Stress

/// The first line of a recording: whose session it is, and what its results depended on.
public struct RecordingHeader: Equatable, Sendable {
  public var session: String
  /// The person.
  public var profile: String
  /// The strap, when it was known as the recording began.
  public var strap: StrapIdentity?
  /// What the wall clock showed at time 0 of the session.
  public var started: WallTime?
  /// The time zone that the session was lived in: an IANA name, or an offset such as `+02:00`.
  public var zone: String?
  public var settings: StressEngine.Settings
  /// The baseline in force.
  public var baseline: Baseline
  /// Version of the program that wrote the recording.
  public var program: String?
  /// Version of the engine that computed the live values (`StressEngine.version`); nil in recordings that do not state it.
  public var engine: Int?

  public init(
    session: String, profile: String, strap: StrapIdentity? = nil, started: WallTime? = nil,
    zone: String? = nil, settings: StressEngine.Settings = .init(), baseline: Baseline = .prior,
    program: String? = nil, engine: Int? = nil
  ) {
    self.session = session
    self.profile = profile
    self.strap = strap
    self.started = started
    self.zone = zone
    self.settings = settings
    self.baseline = baseline
    self.program = program
    self.engine = engine
  }
}
