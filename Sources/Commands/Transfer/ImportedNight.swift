import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Reports
import Stress

/// The nights in a session of another program (`import --as night`).
struct ImportedNight {
  private let found: SessionNights

  init(_ session: ImportedSession) {
    var observer = NightObserver()
    for event in session.events { observer.update(event) }
    observer.finish()
    found = SessionNights(observer, of: session.info, isIntended: true)
  }

  /// The nights to store for the session with this ID.
  func stored(in session: SessionID) -> [StoredNight] {
    found.nights.map { night in
      var night = night
      night.session = session
      return night
    }
  }

  /// `night of 2026-10-03, 7 h 46 min: HRV 45.2 ms (RMSSD), 52 bpm`, or the reason for a missing value.
  var text: String {
    guard !found.nights.isEmpty else {
      return localized("no night: \((found.absence ?? .noWindow).phrase)")
    }
    return found.nights.map { night in
      let day = TrendPeriod.date(Int64(night.day))
      if let refusal = night.refusal { return localized("no valid night of \(day): \(refusal.phrase)") }
      let (length, rmssd) = (Phrase.length(night.seconds), night.rmssd?.fixed(1) ?? "-")
      let rate = night.heartRate?.fixed(0) ?? "-"
      return localized("night of \(day), \(length): HRV \(rmssd) ms (RMSSD), \(rate) bpm")
    }.joined(separator: "; ")
  }

  func put(into line: inout JSONLine) {
    line.put("nights", found.nights.count)
    guard let night = found.nights.max(by: { $0.seconds < $1.seconds }) else {
      return line.put("night", nil as String?)
    }
    line.put("night") { line in
      line.put("day", TrendPeriod.date(Int64(night.day)))
      line.put("duration_s", night.seconds)
      line.put("rmssd_ms", night.rmssd)
      line.put("hr_bpm", night.heartRate)
      line.put("refusal", night.refusal?.rawValue)
    }
  }
}
