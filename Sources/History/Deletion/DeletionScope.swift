package import HeartRate
package import Stress

/// What is to be deleted.
package enum DeletionScope: Equatable, Sendable {
  /// A session with all that came from it and was written about it.
  case session(SessionID)
  /// What was measured and written within times. Of a session that lies in them in part, that part goes, and with it
  /// measurements whose windows reach into it.
  case times(Range<WallTime>, of: String)
  /// Stored measurements of these categories within times. The beats that they were computed from stay.
  case measurements(Set<StressCategory>, Range<WallTime>, of: String)
  /// An entry of the journal.
  case journalEntry(Int64, of: String)
  /// A person, with all that is theirs: sessions, journal, baseline, straps.
  case profile(String)
  /// Everything of everyone.
  case everything
}

/// How much a deletion takes away.
package struct DeletionSummary: Equatable, Sendable {
  /// The people who go with all that is theirs.
  package var profiles: [String] = []
  /// Sessions that go as a whole.
  package var sessions = 0
  /// Sessions of which a part goes.
  package var cutSessions = 0
  /// What came in those sessions: notifications, changes of the link, marks.
  package var events = 0
  package var measurements = 0
  package var journalEntries = 0
  /// The first and the last time of what goes.
  package var times: ClosedRange<WallTime>?
  /// Sessions that are meant as well and stay, because they go on.
  package var running: [RunningSession] = []

  /// Whether nothing goes.
  package var isEmpty: Bool {
    profiles.isEmpty && sessions == 0 && cutSessions == 0 && events == 0 && measurements == 0
      && journalEntries == 0
  }

  mutating func cover(_ first: WallTime, _ last: WallTime) {
    let low = min(times?.lowerBound ?? first, first)
    times = low...max(times?.upperBound ?? last, last, low)
  }
}

/// A session that is being measured, so that it cannot be deleted now.
package struct RunningSession: Equatable, Sendable, CustomStringConvertible {
  package var session: SessionID
  /// Who measures.
  package var holder: MeasurementLock.Conflict?

  package var description: String {
    "session \(session) goes on and stays" + (holder.map { ": \($0)" } ?? "; delete it when it has ended")
  }
}
