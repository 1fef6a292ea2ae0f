package import HeartRate
package import Stress

/// The first line of a recording: whose session it is, and what its results depended on.
package struct RecordingHeader: Equatable, Sendable {
  package var session: String
  /// The person.
  package var profile: String
  /// The strap, when it was known as the recording began.
  package var strap: StrapIdentity?
  /// What the wall clock showed at time 0 of the session.
  package var started: WallTime?
  /// The time zone that the session was lived in: an IANA name, or an offset such as `+02:00`.
  package var zone: String?
  package var settings: StressEngine.Settings
  /// The baseline in force.
  package var baseline: Baseline
  /// Version of the program that wrote the recording.
  package var program: String?
  /// Version of the engine that computed the live values (`StressEngine.version`); nil in recordings that do not state it.
  package var engine: Int?

  package init(
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
