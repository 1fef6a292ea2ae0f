package import HeartRate
package import History
import Platform
package import SessionData
import Simulator
package import Stress

/// The identity of a session, and the values that its results depend on. Constant from before the first event.
package struct SessionPlan: Sendable {
  package let id: SessionID
  package let profile: String
  package let source: SessionInfo.Source
  /// The simulated strap. A real one is identified by link events.
  package let strap: StrapIdentity?
  package let started: WallTime
  /// `CLOCK_BOOTTIME` at the start, in nanoseconds.
  let startedBoot: Int64
  let zone: LocalZone
  package let settings: StressEngine.Settings
  package let baseline: Baseline

  init(_ setup: SessionSetup, baseline: Baseline) {
    let (now, boot) = (SystemClock.wall, SystemClock.boot)
    let headStart = setup.source.headStart(over: setup.expectedLength ?? setup.duration)
    started = setup.started ?? now.advanced(ticks: -headStart.ticks)
    startedBoot = boot - (now.microseconds - started.microseconds) * 1000
    zone = LocalZone(at: started)
    var generator = SystemRandomNumberGenerator()
    id = SessionID(started: started, using: &generator)
    profile = setup.profile
    let isSimulated = setup.source.simulated != nil
    source = isSimulated ? .simulated : .strap
    strap = isSimulated ? SimulatedStrap.identity : nil
    settings = setup.settings
    self.baseline = baseline
  }

  package var engine: StressEngine { StressEngine(settings: settings, baseline: baseline) }

  package var recordingHeader: RecordingHeader {
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

  /// The current time of the session.
  var now: (at: SessionTime, wall: WallTime) {
    (SessionTime(nanoseconds: SystemClock.boot - startedBoot), SystemClock.wall)
  }
}
