package import HeartRate
package import Stress

/// The first line of a recording: the profile, and the conditions that the results depend on.
package struct RecordingHeader: Equatable, Sendable {
  package var session: String
  /// Name of the profile.
  package var profile: String
  /// The strap, if it was known at the start.
  package var strap: StrapIdentity?
  /// Wall-clock time at session time 0.
  package var started: WallTime?
  /// Time zone: an IANA name, or an offset such as `+02:00`.
  package var zone: String?
  package var settings: StressEngine.Settings
  /// The baseline used for scoring.
  package var baseline: Baseline
  /// Version of the program that wrote the recording.
  package var program: String?
  /// Version of the engine that computed the live values (`StressEngine.version`), if the recording states it.
  package var engine: Int?

  package init(
    session: String, profile: String, strap: StrapIdentity? = nil, started: WallTime? = nil,
    zone: String? = nil, settings: StressEngine.Settings = .init(), baseline: Baseline = .populationDefault,
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
