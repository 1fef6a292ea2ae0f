import HeartRate
import History
import Stress
import Sync
import TestSupport

/// Sessions for tests.
enum StoredFixtures {
  /// A session at rest with one notification per beat and a mark.
  /// - Parameter ends: Whether its last event is the end.
  static func session(
    seed: UInt64, profile: String = "me", seconds: Int = 120, startedHoursLater hours: Int = 0,
    fingerprint: UInt8? = nil, ends: Bool = true
  ) -> ImportedSession {
    var random = SeededGenerator(seed: seed)
    let started = WallTime(microseconds: 1_790_000_000_000_000 + Int64(hours) * 3_600_000_000)
    let info = SessionInfo(
      id: SessionID(started: started, using: &random), profile: profile, source: .strap,
      strap: StrapIdentity(address: "AA:BB:CC:DD:EE:FF", name: "H10"), started: started,
      zone: "Europe/Berlin",
      utcOffset: 7200, monotonicNanoseconds: 123_456_789, settings: .init(),
      baseline: Baseline(rmssd: 41, sdnn: 52, restingHeartRate: 57, days: 3, origin: .learned),
      programVersion: "0.1.0", engine: StressEngine.version)
    var at = SessionTime.zero
    var events = [SessionEvent(at: at, .link(LinkChange(.connected)))]
    while at.ticks < Int64(seconds) * 80_000_000 {
      let rr = RRInterval(gattUnits: UInt16.random(in: 960...1080, using: &random))
      at = at + rr
      let payload = HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
        .encoded()
      events.append(
        SessionEvent(at: at, wall: started.advanced(ticks: at.ticks), .notification(payload: payload)))
    }
    events.append(SessionEvent(at: at, .mark("a \"note\"")))
    if ends { events.append(SessionEvent(at: at, .end)) }
    let content = fingerprint.map { Array(repeating: $0, count: 16) } ?? Array(info.id.text.utf8.suffix(16))
    return ImportedSession(info: info, fingerprint: content, format: "recording", events: events)
  }

  /// The time of the last measurement of a session.
  static func reading(of session: ImportedSession) -> SessionTime? {
    var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
    var last: SessionTime?
    for event in session.events { engine.update(event) { last = $0.time } }
    return last
  }

  static func store(_ session: ImportedSession, in location: StoreLocation) throws {
    _ = try HistoryImport(location).transaction(at: StoredWorld.now) { try $0.store(session) }
    try BaselineUpdater(location).learn(session.info.profile, today: StoredWorld.today, at: StoredWorld.now)
  }
}
