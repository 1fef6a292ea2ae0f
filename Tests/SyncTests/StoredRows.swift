import HeartRate
import History
import Stress
import Sync
import TestSupport

/// What a history contains, as texts that are equal for equal content: without numbers of rows, which each device assigns.
struct StoredRows: Equatable {
  var profiles: [String]
  var sessions: [String]
  var events: [String: Int]
  var measurements: [String]
  var journal: [String]

  init(_ location: StoreLocation) throws {
    guard let reader = try HistoryReader(location) else {
      (profiles, sessions, events, measurements, journal) = ([], [], [:], [], [])
      return
    }
    profiles = try reader.profileContents().map { profile in
      let baseline = profile.baseline.map { "\($0)" } ?? "-"
      return "\(profile.name) \(baseline) \(profile.straps)"
    }.sorted()
    let stored = try reader.sessions(limit: .max)
    sessions = stored.map { session in
      var session = session
      session.file = nil
      return "\(session)"
    }.sorted()
    events = [:]
    for session in stored {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for event in reader.events(of: session.info.id) {
        for byte in "\(event)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
      events[session.info.id.text] = Int(truncatingIfNeeded: hash)
    }
    (measurements, journal) = ([], [])
    for profile in try reader.profiles() {
      measurements += try reader.measurements(of: profile, in: HistoryFilter.always).map { measurement in
        var measurement = measurement
        measurement.id = 0
        return "\(measurement)"
      }
      journal += try reader.journal(of: profile).map { entry in
        var entry = entry
        entry.id = 0
        return "\(entry)"
      }
    }
    measurements.sort()
    journal.sort()
  }

  /// The first difference, for messages.
  func difference(from other: StoredRows) -> String? {
    if profiles != other.profiles { return "profiles \(profiles) and \(other.profiles)" }
    if sessions != other.sessions { return Self.difference("sessions", sessions, other.sessions) }
    if events != other.events { return "events of sessions" }
    if measurements != other.measurements {
      return Self.difference("measurements", measurements, other.measurements)
    }
    if journal != other.journal { return Self.difference("journal entries", journal, other.journal) }
    return nil
  }

  private static func difference(_ name: String, _ one: [String], _ other: [String]) -> String {
    let (only, missing) = (one.filter { !other.contains($0) }, other.filter { !one.contains($0) })
    return
      "\(name): \(one.count) and \(other.count); only in one: \(only.prefix(2)); in the other: \(missing.prefix(2))"
  }
}
