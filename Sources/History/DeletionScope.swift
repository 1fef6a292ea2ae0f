public import HeartRate
public import Stress

/// What is to be deleted.
public enum DeletionScope: Equatable, Sendable {
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
public struct DeletionSummary: Equatable, Sendable {
  /// The people who go with all that is theirs.
  public var profiles: [String] = []
  /// Sessions that go as a whole.
  public var sessions = 0
  /// Sessions of which a part goes.
  public var cutSessions = 0
  /// What came in those sessions: notifications, changes of the link, marks.
  public var events = 0
  public var measurements = 0
  public var journalEntries = 0
  /// The first and the last time of what goes.
  public var times: ClosedRange<WallTime>?
  /// Sessions that are meant as well and stay, because they go on.
  public var running: [RunningSession] = []

  /// Whether nothing goes.
  public var isEmpty: Bool {
    profiles.isEmpty && sessions == 0 && cutSessions == 0 && events == 0 && measurements == 0
      && journalEntries == 0
  }

  mutating func cover(_ first: WallTime, _ last: WallTime) {
    let low = min(times?.lowerBound ?? first, first)
    times = low...max(times?.upperBound ?? last, last, low)
  }
}

/// A session that is being measured, so that it cannot be deleted now.
public struct RunningSession: Equatable, Sendable, CustomStringConvertible {
  public var session: SessionID
  /// Who measures.
  public var holder: LiveClaim.Conflict?

  public var description: String {
    "session \(session) goes on and stays" + (holder.map { ": \($0)" } ?? "; delete it when it has ended")
  }
}
