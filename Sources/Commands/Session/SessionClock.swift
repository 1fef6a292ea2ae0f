import HeartRate

/// What time it is in a session, also between its events.
struct SessionClock: Sendable {
  /// How fast time passes between events; nil where it passes with them alone.
  let speed: Double?
  private var known = SessionTime.zero
  private var knownAt = ContinuousClock.now
  private var wallOfKnown: WallTime?

  init(speed: Double?) { self.speed = speed }

  mutating func take(_ event: SessionEvent) {
    (known, knownAt) = (max(known, event.at), .now)
    wallOfKnown = event.wall ?? wallOfKnown
  }

  var now: SessionTime {
    guard let speed else { return known }
    let passed = Double(knownAt.duration(to: .now).ticks) * speed
    return SessionTime(ticks: known.ticks + Int64(min(passed, 1e17)))
  }

  /// What the wall clock shows at a time near the last event; nil where the events do not tell.
  func wall(at time: SessionTime) -> WallTime? {
    wallOfKnown?.advanced(ticks: time.ticks - known.ticks)
  }
}
