import HeartRate
import JSONLines
import LiveFeed
import Platform
import Stress

/// Decodes the lines of one session: beats with their times, marks, and the newest values.
struct SessionDecoder: Sendable {
  /// Values are withdrawn if no notification arrives for this time, in ns, even if no line reports that the link is lost.
  static let silenceLimit: Int64 = 6_000_000_000

  private(set) var state: FeedState
  private var clock = SessionClock()
  private var timeline = BeatTimeline()
  /// Number of the latest line.
  private var number: Int
  /// Boot time of the latest notification in ns.
  private var lastNotification: Int64?
  private var isSilent = false

  init(_ hello: FeedHello) { (state, number) = (FeedState(hello), hello.lines) }

  /// What a line contains.
  struct Content {
    var beats: [TimedEvent] = []
    var marker: TimedEvent?
    /// Whether the values have to be published, also if they are unchanged.
    var hasValues = false
  }

  /// Decodes a line that was received at `now`.
  mutating func decode(_ line: FeedLine, at now: Int64) -> Content {
    number = line.number
    state.update(line)
    guard let object = try? JSONObject(line.bytes), let type = object.text("type") else { return Content() }
    switch type {
    case "notification": return notification(object, at: now)
    case "measurement", "end": return Content(hasValues: true)
    case "link":
      if object.text("state").map({ $0 != "connected" }) ?? false { timeline.interrupt() }
      return Content(hasValues: true)
    case "gap": return Content(marker: marker("gap", object, at: now))
    case "mark": return Content(marker: object.text("text").flatMap { marker($0, object, at: now) })
    default: return Content()
    }
  }

  /// Number of lines that were not received before a connection whose hello counts `lines`.
  mutating func reconnect(_ hello: FeedHello) -> Int {
    defer { number = max(number, hello.lines) }
    return max(0, hello.lines - number)
  }

  private mutating func notification(_ object: JSONObject, at now: Int64) -> Content {
    (lastNotification, isSilent) = (now, false)
    let intervals = object.intervals("rr_ms")
    // A notification with RR intervals is followed by a measurement, which completes the values.
    var content = Content(hasValues: intervals.isEmpty)
    guard let arrival = object.value("monotonic_s").flatMap(SessionTime.init(seconds:)) else {
      return content
    }
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

  private func marker(_ text: String, _ object: JSONObject, at now: Int64) -> TimedEvent {
    let time = object.value("monotonic_s").flatMap(SessionTime.init(seconds:)).flatMap(clock.boot)
    return TimedEvent(.marker(text), at: time ?? now)
  }
}

extension SessionDecoder {
  var isLive: Bool { !state.isStale && !isSilent && heartRate != nil }

  /// In bpm: that of the latest notification, else the mean of the window.
  private var heartRate: Double? { state.heartRate?.value ?? state.measurement?.heartRate }

  /// The time at which the values are withdrawn unless a notification arrives, in ns; nil while they are not live.
  var silenceDeadline: Int64? { isLive ? lastNotification.map { $0 + Self.silenceLimit } : nil }

  /// Withdraws the values if no notification has arrived for too long. Returns whether they changed.
  mutating func checkSilence(at now: Int64) -> Bool {
    guard let deadline = silenceDeadline, now >= deadline else { return false }
    isSilent = true
    return true
  }

  var values: LiveValues {
    guard isLive else { return .withdrawn }
    var values = LiveValues()
    values.isLive = true
    values.heartRate = heartRate.map { Int($0.rounded()) }
    values.battery = state.battery
    guard let measurement = state.measurement else { return values }
    (values.rmssd, values.sdnn) = (measurement.rmssd, measurement.sdnn)
    guard let stress = measurement.stress, !measurement.isExerting else { return values }
    values.stress = stress
    values.category = measurement.category.flatMap(StressCategory.init(rawValue:))
    values.confidence = measurement.confidence
    return values
  }
}

extension JSONObject {
  /// The longest interval: a day.
  private static let longestInterval = 86_400_000 * RRInterval.ticksPerMillisecond

  /// The RR intervals of a member in ms, exact; empty if it is missing or contains anything else.
  fileprivate func intervals(_ key: StaticString) -> [RRInterval] {
    let elements = self[key].flatMap(elements) ?? []
    let ticks = elements.map { element in
      number(element)?.ticks(perUnit: RRInterval.ticksPerMillisecond, limit: Self.longestInterval)
    }
    return ticks.contains(nil) ? [] : ticks.compactMap { $0.map(RRInterval.init(ticks:)) }
  }
}
