import HeartRate
import SessionData

/// Collects the beats and the notes of a session in a foreign file.
///
/// Times are relative to the start that the file states. Beats before it are possible: the session then starts earlier.
struct BeatSession {
  private var beats: SessionEvents
  private var notes: SessionEvents
  private var latest: SessionTime?
  /// End of the session, if the file states it.
  var end: SessionTime?
  var skipped = 0

  /// Limit of the bytes of a note.
  static let longestNote = 4096

  init(_ mode: SessionEvents.Mode) { (beats, notes) = (SessionEvents(mode), SessionEvents(mode)) }

  var isEmpty: Bool { beats.beats == 0 }
  /// Time of the latest beat.
  var latestBeat: SessionTime? { latest }

  /// Appends an interval that ends at `end`, or at the end of the beat before it if that is later.
  /// - Parameter followsGap: whether data are missing before the interval.
  mutating func append(_ rr: RRInterval, end: SessionTime, followsGap: Bool) throws(TooManyBeats) {
    let at = max(end, latest ?? end)
    if followsGap, let latest {
      try beats.append(SessionEvent(at: latest, .link(LinkChange(.lost, reason: "the file has no data"))))
      try beats.append(SessionEvent(at: latest, .link(LinkChange(.connected))))
    }
    try beats.append(SessionEvent(at: at, .interval(rr)))
    latest = at
  }

  mutating func note(_ text: String, at: SessionTime) throws(TooManyBeats) {
    guard !text.isEmpty else { return }
    try notes.append(SessionEvent(at: at, .mark(String(text.prefix(Self.longestNote)))))
  }

  /// Appends an event other than a beat.
  mutating func append(_ event: SessionEvent) throws(TooManyBeats) { try notes.append(event) }

  /// The session, with all times at or after zero.
  func session(start: FileSession.Start?) -> FileSession {
    let notes = notes.all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    var events = Self.merged(beats.all, notes)
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
  private(set) var session: BeatSession
  private var latest: SessionTime?
  private var hasGap = false

  init(_ mode: SessionEvents.Mode) { session = BeatSession(mode) }

  /// Appends the peak at `time`. A peak at or before the previous one, or 24 h or more after it, begins a new series.
  /// - Parameter opens: whether the peak begins the first interval after missing data.
  mutating func peak(at time: SessionTime, opens: Bool = false) throws(TooManyBeats) {
    defer { latest = time }
    guard let latest, !opens, time > latest, time.ticks - latest.ticks <= RRInterval.longestTicks else {
      hasGap = hasGap || latest != nil
      return
    }
    try session.append(RRInterval(ticks: time.ticks - latest.ticks), end: time, followsGap: hasGap)
    hasGap = false
  }

  /// Data are missing after the latest peak.
  mutating func gap() {
    if latest != nil { hasGap = true }
    latest = nil
  }

  mutating func note(_ text: String, at time: SessionTime) throws(TooManyBeats) {
    try session.note(text, at: time)
  }
  mutating func end(at time: SessionTime) { session.end = time }
}
