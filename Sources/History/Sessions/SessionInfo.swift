package import HeartRate
package import Stress

/// The properties of a session that are fixed at its start.
package struct SessionInfo: Equatable, Sendable {
  package enum Source: String, Sendable, CaseIterable {
    case strap
    case simulated
    case imported
  }

  package var id: SessionID
  /// Name of the person measured.
  package var profile: String
  package var source: Source
  /// The strap, if it is known at the start. Otherwise link events contain it.
  package var strap: StrapIdentity?
  package var started: WallTime
  /// IANA name of the local time zone, for example `Europe/Berlin`.
  package var zone: String
  /// Offset of the zone at the start of the session, in seconds east of UTC.
  package var utcOffset: Int
  /// The monotonic clock (CLOCK_BOOTTIME) at the start of the session, in nanoseconds.
  package var monotonicNanoseconds: Int64
  package var settings: StressEngine.Settings
  /// The baseline used for the whole session.
  package var baseline: Baseline
  package var programVersion: String
  /// The version of the engine that computed the measurements, if the session or file contains it.
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

/// A stored session.
package struct StoredSession: Equatable, Sendable {
  package enum Outcome: String, Sendable, CaseIterable {
    /// Ended by the user or by the end of its source.
    case finished
    /// Ended by a killed program or a power failure, with the last stored event.
    case interrupted
  }

  package var info: SessionInfo
  /// Absent while the session continues. After its program was killed, also absent until the next session of the profile
  /// starts.
  package var outcome: Outcome?
  /// Present exactly if ``outcome`` is.
  package var ended: WallTime?
  /// The time of its end, or of its last event if it has no end; zero without events.
  package var length: SessionTime
  package var events: Int
  package var measurements: Int
  /// The strap at the start of the session, or the first strap to which its link connected.
  package var strap: StrapIdentity?
  /// The name of the file from which it was imported, if it was imported and the name was stored.
  package var file: String?

  package init(
    info: SessionInfo, outcome: Outcome?, ended: WallTime?, length: SessionTime, events: Int,
    measurements: Int,
    strap: StrapIdentity? = nil, file: String? = nil
  ) {
    (self.info, self.outcome, self.ended, self.length) = (info, outcome, ended, length)
    (self.events, self.measurements, self.strap, self.file) = (events, measurements, strap, file)
  }
}
