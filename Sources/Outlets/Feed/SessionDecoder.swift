import HeartRate
import LiveFeed
import LiveSession
import Platform

/// Decodes the lines of one session: beats with their times, marks, and the newest values.
struct SessionDecoder: Sendable {
  private(set) var state: LiveSnapshot
  private var clock = BootTimeline()
  private var timeline = BeatTimeline()
  /// Number of the latest line.
  private var number: Int
  /// Whether ``checkSilence(at:)`` has withdrawn the values.
  private var isSilent = false

  init(_ hello: FeedHello) { (state, number) = (LiveSnapshot(hello), hello.lines) }

  /// What a line contains.
  struct Content {
    var beats: [TimedEvent] = []
    var marker: TimedEvent?
    var ecg: TimedEvent?
    /// Whether the values have to be published, also if they are unchanged.
    var hasValues = false
  }

  /// Decodes a line that was received at `now`.
  mutating func decode(_ line: FeedLine, at now: Int64) -> Content {
    number = line.number
    guard let line = line.content else { return Content() }
    state.update(line, at: now)
    switch line.content {
    case .notification(let notification): return decode(notification, line.arrival, at: now)
    case .measurement:
      isSilent = false
      return Content(hasValues: true)
    case .end: return Content(hasValues: true)
    case .link(let link):
      if let state = link.state, state != "connected" { timeline.interrupt() }
      return Content(hasValues: true)
    case .gap: return Content(marker: marker("gap", line, at: now))
    case .mark(let text): return Content(marker: marker(text, line, at: now))
    case .ecg(let ecg):
      let event = TimedEvent(.ecg(ecg.samples, rate: ecg.rate), at: line.arrival.flatMap(clock.boot) ?? now)
      return ecg.samples.isEmpty ? Content() : Content(ecg: event)
    case .motion, .notice, .other: return Content()
    }
  }

  /// Number of lines that were not received before a connection whose hello counts `lines`.
  mutating func reconnect(_ hello: FeedHello) -> Int {
    defer { number = max(number, hello.lines) }
    return max(0, hello.lines - number)
  }

  private mutating func decode(
    _ notification: SessionLine.Notification, _ arrival: SessionTime?, at now: Int64
  ) -> Content {
    isSilent = false
    let intervals = notification.intervals
    // A notification with RR intervals is followed by a measurement, which completes the values.
    var content = Content(hasValues: intervals.isEmpty)
    guard let arrival else { return content }
    clock.observe(arrival, at: now)
    guard !intervals.isEmpty else { return content }
    // The timeline counts in the strap's unit of 1/1024 s. Intervals in other units are rounded for their times only.
    var placement = timeline.place(RRIntervals(gattUnits: intervals.map(\.gattUnits)), arrival: arrival)
    for interval in intervals {
      let end = placement.advance(by: RRInterval(gattUnits: interval.gattUnits))
      content.beats.append(TimedEvent(.beat(interval), at: clock.boot(end) ?? now))
    }
    return content
  }

  private func marker(_ text: String, _ line: SessionLine, at now: Int64) -> TimedEvent {
    TimedEvent(.marker(text), at: line.arrival.flatMap(clock.boot) ?? now)
  }
}

extension SessionDecoder {
  var isLive: Bool { silenceDeadline != nil }

  /// The time at which the values are withdrawn unless data arrive, in ns. Only live values have one.
  var silenceDeadline: Int64? { isSilent || state.currentHeartRate == nil ? nil : state.deadline }

  /// Withdraws the values if no data have arrived for too long. Returns whether they changed.
  mutating func checkSilence(at now: Int64) -> Bool {
    guard silenceDeadline != nil, !state.isLive(at: now) else { return false }
    isSilent = true
    return true
  }

  var values: LiveValues { LiveValues(state, isLive: isLive) }
}

extension SessionLine {
  fileprivate var arrival: SessionTime? { seconds.flatMap(SessionTime.init(seconds:)) }
}
