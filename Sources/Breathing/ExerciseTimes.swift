package import HeartRate

/// The times of a guided exercise, read from the marks of its session.
package struct ExerciseTimes: Equatable, Sendable {
  /// A period with one pattern.
  package struct Stretch: Equatable, Sendable {
    /// The pattern.
    package let pattern: BreathingPattern
    /// From the start of the first inhale to the end of the last cycle.
    package let times: Range<SessionTime>

    package init(pattern: BreathingPattern, times: Range<SessionTime>) {
      (self.pattern, self.times) = (pattern, times)
    }
  }

  /// The rest before the breathing, if there was one.
  package private(set) var before: Range<SessionTime>?
  /// The breathing, including pauses.
  package private(set) var during: Range<SessionTime>
  /// The rest after the breathing, if there was one.
  package private(set) var after: Range<SessionTime>?
  /// The patterns, in order.
  package private(set) var stretches: [Stretch] = []
  /// The pauses of the pacer, in order.
  package private(set) var pauses: [Range<SessionTime>] = []
  /// Whether the breathing was completed.
  package private(set) var isWhole: Bool

  /// Reads the last exercise of a session, if there is one. An interrupted stage ends with the session.
  package init?(_ events: some Sequence<SessionEvent>) {
    var marks: [(at: SessionTime, mark: ExerciseMark)] = []
    var end = SessionTime.zero
    for event in events {
      end = max(end, event.at)
      if case .mark(let text) = event.kind, let mark = ExerciseMark(text: text) {
        marks.append((event.at, mark))
      }
    }
    guard let begins = marks.lastIndex(where: { $0.mark == .breathingBegins }) else { return nil }
    let start = marks[begins].at
    if begins > 0, marks[begins - 1].mark == .restBegins, marks[begins - 1].at < start {
      before = marks[begins - 1].at..<start
    }
    let rest = marks[begins...]
    let breathingEnd = rest.first { $0.mark == .breathingEnds }?.at
    isWhole = breathingEnd != nil
    during = start..<max(start, breathingEnd ?? end)
    if let breathingEnd {
      let restEnd = rest.first { $0.mark == .restEnds }?.at ?? end
      if restEnd > breathingEnd { after = breathingEnd..<restEnd }
    }
    read(rest)
  }

  private mutating func read(_ marks: ArraySlice<(at: SessionTime, mark: ExerciseMark)>) {
    var (pattern, pausedAt): ((BreathingPattern, SessionTime)?, SessionTime?)
    func closed(at time: SessionTime) -> Stretch? {
      pattern.flatMap { $0.1 < time ? Stretch(pattern: $0.0, times: $0.1..<time) : nil }
    }
    for (time, mark) in marks where time <= during.upperBound {
      switch mark {
      case .pattern(let next):
        if let stretch = closed(at: time) { stretches.append(stretch) }
        pattern = (next, time)
      case .paused: pausedAt = time
      case .resumed:
        if let from = pausedAt { pauses.append(from..<max(from, time)) }
        pausedAt = nil
      case .restBegins, .breathingBegins, .breathingEnds, .restEnds: break
      }
    }
    if let stretch = closed(at: during.upperBound) { stretches.append(stretch) }
    if let from = pausedAt, from < during.upperBound { pauses.append(from..<during.upperBound) }
  }
}
