package import HeartRate
package import Stress

/// What is known of a session when it begins.
package struct SessionInfo: Equatable, Sendable {
  package enum Source: String, Sendable, CaseIterable {
    case strap
    case simulated
    case imported
  }

  package var id: SessionID
  /// The person.
  package var profile: String
  package var source: Source
  /// Absent where it is not known when the session begins; its link events say it then.
  package var strap: StrapIdentity?
  package var started: WallTime
  /// IANA name of the time zone that it was lived in, as `Europe/Berlin`.
  package var zone: String
  /// That zone's offset when the session began, in seconds east of UTC.
  package var utcOffset: Int
  /// What the monotonic clock (CLOCK_BOOTTIME) showed when the session began, in nanoseconds.
  package var monotonicNanoseconds: Int64
  package var settings: StressEngine.Settings
  /// The baseline in force, from beginning to end.
  package var baseline: Baseline
  package var programVersion: String
  /// The version of the engine that measured the session; nil in sessions and files that do not state it.
  package var engine: Int?

  package init(
    id: SessionID, profile: String, source: Source, strap: StrapIdentity? = nil, started: WallTime,
    zone: String,
    utcOffset: Int, monotonicNanoseconds: Int64, settings: StressEngine.Settings, baseline: Baseline,
    programVersion: String, engine: Int? = nil
  ) {
    self.id = id
    self.profile = profile
    self.source = source
    self.strap = strap
    self.started = started
    self.zone = zone
    self.utcOffset = utcOffset
    self.monotonicNanoseconds = monotonicNanoseconds
    self.settings = settings
    self.baseline = baseline
    self.programVersion = programVersion
    self.engine = engine
  }
}

/// A session as the history holds it.
package struct StoredSession: Equatable, Sendable {
  package enum Outcome: String, Sendable, CaseIterable {
    /// It was ended by the person or by the end of its source.
    case finished
    /// Its program was killed or lost power. It ends with its last stored event.
    case interrupted
  }

  package var info: SessionInfo
  /// Absent while it goes on, and after its program was killed until the next one writes.
  package var outcome: Outcome?
  /// Absent while ``outcome`` is.
  package var ended: WallTime?
  /// When it ended by ``outcome``, else the time of its last event; zero when nothing has come yet.
  package var length: SessionTime
  package var events: Int
  package var measurements: Int
  /// The strap that it began with, or the first that its link came to.
  package var strap: StrapIdentity?
}
