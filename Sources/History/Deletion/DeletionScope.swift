package import HeartRate
package import Stress

/// The data to delete.
package enum DeletionScope: Equatable, Sendable {
  /// A session with its events, measurements, breathing exercises and journal entries.
  case session(SessionID)
  /// Sessions and journal entries within times. Of a session that overlaps the times in part, that part is deleted, and
  /// measurements whose windows overlap it.
  case times(Range<WallTime>, of: String)
  /// Measurements of these categories within times. The beats from which they were computed are kept.
  case measurements(Set<StressCategory>, Range<WallTime>, of: String)
  /// A journal entry.
  case journalEntry(Int64, of: String)
  /// A profile with its sessions, journal, baseline and straps.
  case profile(String)
  /// All profiles.
  case everything
}

/// The amount of data that a deletion removes.
package struct DeletionSummary: Equatable, Sendable {
  /// The deleted profiles.
  package var profiles: [String] = []
  /// Number of sessions that are deleted completely.
  package var sessions = 0
  /// Number of sessions of which a part is deleted.
  package var cutSessions = 0
  /// Number of events of those sessions: notifications, link changes, marks.
  package var events = 0
  package var measurements = 0
  package var journalEntries = 0
  /// The first and the last time of the deleted data.
  package var times: ClosedRange<WallTime>?
  /// Sessions that match the scope and are kept because they are running.
  package var running: [RunningSession] = []

  package init() {}

  /// Whether nothing is deleted.
  package var isEmpty: Bool {
    profiles.isEmpty && sessions == 0 && cutSessions == 0 && events == 0 && measurements == 0
      && journalEntries == 0
  }

  mutating func cover(_ first: WallTime, _ last: WallTime) {
    let low = min(times?.lowerBound ?? first, first)
    times = low...max(times?.upperBound ?? last, last, low)
  }
}

/// A running session, which cannot be deleted.
package struct RunningSession: Equatable, Sendable, CustomStringConvertible {
  package var session: SessionID
  /// The holder of its measurement lock.
  package var holder: MeasurementLock.Conflict?

  package var description: String {
    "session \(session) is running and was not deleted"
      + (holder.map { ": \($0)" } ?? "; delete it when it has ended")
  }
}
