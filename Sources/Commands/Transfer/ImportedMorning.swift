import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Reports
import Stress

/// A session of another program as a morning reading (`import --as morning`).
///
/// A reading covers the session up to five minutes. Apps end a reading of a minute with the last complete beat, so a session may
/// be up to ten seconds shorter.
enum ImportedMorning {
  case reading(StoredMorning)
  /// The session is too short or too long for a reading at rest, by its length in seconds.
  case otherLength(Double)

  private static let lengths = 50.0...900.0

  init(_ session: ImportedSession, _ posture: MorningPosture) {
    let first = session.events.first?.at ?? .zero
    let seconds = SessionTime(ticks: (session.events.last?.at.ticks ?? 0) - first.ticks).seconds
    guard Self.lengths.contains(seconds) else {
      self = .otherLength(seconds)
      return
    }
    let longest = SessionTime(ticks: MorningCourse.lengths.upperBound.ticks).seconds
    let course = MorningCourse(posture: posture, length: .seconds(Int(min(seconds, longest))))
    let info = session.info
    let result = MorningResult(
      session.events, from: first, course,
      of: BreathingResult.Session(
        id: info.id, profile: info.profile, started: info.started, settings: info.settings,
        baseline: info.baseline))
    self = result.stored.first.map(Self.reading) ?? .otherLength(seconds)
  }

  /// The reading to store for the session with this ID.
  func stored(in session: SessionID) -> StoredMorning? {
    guard case .reading(var reading) = self else { return nil }
    reading.session = session
    return reading
  }

  /// `morning of 2026-10-03, lying: HRV 45.2 ms (RMSSD), 58 bpm`, or the reason why the session is no valid reading.
  var text: String {
    switch self {
    case .otherLength(let seconds):
      return localized(
        "no morning reading, which is 50 s to 15 min long: this session has \(seconds.fixed(0)) s")
    case .reading(let reading):
      let (day, posture) = (TrendPeriod.date(Int64(reading.day)), reading.posture.name)
      if let refusal = reading.refusal {
        return localized("no valid morning reading of \(day): \(refusal.phrase)")
      }
      let (rmssd, rate) = (reading.rmssd?.fixed(1) ?? "-", reading.heartRate?.fixed(0) ?? "-")
      return localized("morning of \(day), \(posture): HRV \(rmssd) ms (RMSSD), \(rate) bpm")
    }
  }

  func put(into line: inout JSONLine) {
    guard case .reading(let reading) = self else { return line.put("morning", nil as String?) }
    line.put("morning") { line in
      line.put("day", TrendPeriod.date(Int64(reading.day)))
      line.put("posture", reading.posture.rawValue)
      line.put("rmssd_ms", reading.rmssd)
      line.put("hr_bpm", reading.heartRate)
      line.put("refusal", reading.refusal?.rawValue)
    }
  }
}
