import HeartRate

/// The current time of a session, also between its events.
struct SessionClock: Sendable {
  /// Speed at which time passes between events. Without a speed, it passes with the events only.
  private let speed: Double?
  private var last = SessionTime.zero
  private var lastReceived = ContinuousClock.now
  private var lastWall: WallTime?

  init(speed: Double?) { self.speed = speed }

  mutating func update(_ event: SessionEvent) {
    (last, lastReceived) = (max(last, event.at), .now)
    lastWall = event.wall ?? lastWall
  }

  var now: SessionTime {
    guard let speed else { return last }
    let passed = Double(lastReceived.duration(to: .now).ticks) * speed
    return SessionTime(ticks: last.ticks + Int64(min(passed, 1e17)))
  }

  /// The longest time between an event of the session and a wall-clock time that is near it, in microseconds.
  private static let reach: Int64 = 86_400_000_000

  /// The session time of a wall-clock time near the last event; `nil` for any other, if events have wall-clock times.
  func time(of wall: WallTime) -> SessionTime? {
    guard let lastWall else { return now }
    let (passed, overflows) = wall.microseconds.subtractingReportingOverflow(lastWall.microseconds)
    guard !overflows, (-Self.reach...Self.reach).contains(passed) else { return nil }
    return SessionTime(ticks: last.ticks + passed * (RRInterval.ticksPerSecond / 1_000_000))
  }

  /// The wall-clock time of a session time near the last event, if events have wall-clock times.
  func wall(at time: SessionTime) -> WallTime? {
    lastWall?.advanced(ticks: time.ticks - last.ticks)
  }
}
