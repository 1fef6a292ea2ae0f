import HeartRate
import History
import Platform
import SessionData
import Stress

/// What is settled before a session begins: whose it is, and what its results will depend on.
struct SessionPlan: Sendable {
  let id: SessionID
  let profile: String
  let source: SessionInfo.Source
  /// Known beforehand for the simulated strap only; link events tell it otherwise.
  let strap: StrapIdentity?
  let started: WallTime
  /// What CLOCK_BOOTTIME showed then, in nanoseconds.
  let startedBoot: Int64
  let zone: LocalZone
  let settings: StressEngine.Settings
  let baseline: Baseline

  /// - Parameters:
  ///   - headStart: How long ago it begins: the time by which a simulated session is going to outrun the clock.
  ///   - started: When it begins, for a simulated session in a series; nil for now, less the head start.
  init(
    profile: String, source: SessionInfo.Source, strap: StrapIdentity?, settings: StressEngine.Settings,
    baseline: Baseline, headStart: Duration = .zero, started: WallTime? = nil
  ) {
    let (now, boot) = (SystemClock.wall, SystemClock.boot)
    let started = started ?? now.advanced(ticks: -headStart.ticks)
    self.started = started
    startedBoot = boot - (now.microseconds - started.microseconds) * 1000
    zone = LocalZone(at: started)
    var generator = SystemRandomNumberGenerator()
    id = SessionID(started: started, using: &generator)
    self.profile = profile
    self.source = source
    self.strap = strap
    self.settings = settings
    self.baseline = baseline
  }

  var engine: StressEngine { StressEngine(settings: settings, baseline: baseline) }

  var recordingHeader: RecordingHeader {
    RecordingHeader(
      session: id.text, profile: profile, strap: strap, started: started, zone: zone.name, settings: settings,
      baseline: baseline, program: programVersion, engine: StressEngine.version)
  }

  var info: SessionInfo {
    SessionInfo(
      id: id, profile: profile, source: source, strap: strap, started: started, zone: zone.name,
      utcOffset: zone.utcOffset, monotonicNanoseconds: startedBoot, settings: settings, baseline: baseline,
      programVersion: programVersion, engine: StressEngine.version)
  }

  /// The time of the session by the system's clocks.
  var now: (at: SessionTime, wall: WallTime) {
    (SessionTime(nanoseconds: SystemClock.boot - startedBoot), SystemClock.wall)
  }
}
