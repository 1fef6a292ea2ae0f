import HeartRate
import SessionData

/// Collects the beats and the notes of a session in a foreign file.
///
/// Times are relative to the start that the file states. Beats before it are possible: the session then starts earlier.
struct BeatSession {
  private var beats: [SessionEvent] = []
  private var notes: [SessionEvent] = []
  private var latest: SessionTime?
  /// End of the session, if the file states it.
  var end: SessionTime?
  var skipped = 0

  /// Limit of the bytes of a note.
  static let longestNote = 4096

  var isEmpty: Bool { beats.isEmpty }
  /// Time of the latest beat.
  var latestBeat: SessionTime? { latest }

  /// Appends an interval that ends at `end`, or at the end of the beat before it if that is later.
  /// - Parameter followsGap: whether data are missing before the interval.
  mutating func append(_ rr: RRInterval, end: SessionTime, followsGap: Bool) {
    let at = max(end, latest ?? end)
    if followsGap, let latest {
      beats.append(SessionEvent(at: latest, .link(LinkChange(.lost, reason: "the file has no data"))))
      beats.append(SessionEvent(at: latest, .link(LinkChange(.connected))))
    }
    beats.append(SessionEvent(at: at, .interval(rr)))
    latest = at
  }

  mutating func note(_ text: String, at: SessionTime) {
    guard !text.isEmpty else { return }
    notes.append(SessionEvent(at: at, .mark(String(text.prefix(Self.longestNote)))))
  }

  /// Appends an event other than a beat.
  mutating func append(_ event: SessionEvent) { notes.append(event) }

  /// The session, with all times at or after zero.
  func session(start: FileSession.Start?) -> FileSession {
    let notes = notes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    var events = Self.merged(beats, notes)
    let shift = max(0, -(events.first?.at.ticks ?? 0))
    if shift > 0 {
      for index in events.indices { events[index].at = SessionTime(ticks: events[index].at.ticks + shift) }
    }
    var session = FileSession(start: start?.earlier(by: shift), events: events)
    session.skipped = skipped
    let last = events.last?.at ?? .zero
    let stated = end.map { SessionTime(ticks: $0.ticks + shift) } ?? last
    session.events.append(SessionEvent(at: max(last, stated), .end))
    return session
  }

  /// Merges two series that are ordered by time.
  private static func merged(_ first: [SessionEvent], _ second: [SessionEvent]) -> [SessionEvent] {
    var (rest, other) = (first[...], second[...])
    var all: [SessionEvent] = []
    all.reserveCapacity(first.count + second.count)
    while let a = rest.first, let b = other.first {
      all.append(a.at <= b.at ? a : b)
      if a.at <= b.at { rest.removeFirst() } else { other.removeFirst() }
    }
    return all + rest + other
  }
}

/// Converts the times of R peaks to intervals.
struct PeakReader {
  private(set) var session = BeatSession()
  private var latest: SessionTime?
  private var hasGap = false

  /// Appends the peak at `time`. A peak at or before the previous one, or 24 h or more after it, begins a new series.
  /// - Parameter opens: whether the peak begins the first interval after missing data.
  mutating func peak(at time: SessionTime, opens: Bool = false) {
    defer { latest = time }
    guard let latest, !opens, time > latest, time.ticks - latest.ticks <= RRInterval.longestTicks else {
      hasGap = hasGap || latest != nil
      return
    }
    session.append(RRInterval(ticks: time.ticks - latest.ticks), end: time, followsGap: hasGap)
    hasGap = false
  }

  /// Data are missing after the latest peak.
  mutating func gap() {
    if latest != nil { hasGap = true }
    latest = nil
  }

  mutating func note(_ text: String, at time: SessionTime) { session.note(text, at: time) }
  mutating func end(at time: SessionTime) { session.end = time }
}
