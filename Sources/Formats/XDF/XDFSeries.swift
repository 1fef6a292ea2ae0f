import HeartRate
import Platform
import SessionData

/// The samples of one stream, and the conversion of its times.
struct XDFSeries {
  enum Value {
    case number(Double)
    case text(String)
  }

  let stream: XDFStream
  var offsets = ClockFit()
  private var samples: [(value: Value, time: Double)] = []
  private var lastTime = 0.0
  private var skipped = 0

  init(_ stream: XDFStream) { self.stream = stream }

  var isIntervals: Bool { if case .intervals = stream.content { true } else { false } }

  /// - Parameter time: nil for a sample that follows the one before it at the nominal rate.
  mutating func append(_ value: Value, time: Double?) {
    let at = time ?? (stream.rate > 0 ? lastTime + 1 / stream.rate : lastTime)
    guard at.isFinite, at.magnitude < 1e9 else {
      skipped += 1
      return
    }
    lastTime = at
    samples.append((value, at))
  }

  // MARK: Session

  /// - Parameters:
  ///   - others: the streams of heart rates and markers.
  ///   - recorded: the start of the recording in the header of the file.
  ///   - zero: the clock time at that start.
  func session(with others: [XDFSeries], recorded: FileSession.Start?, zero: Double?) -> FileSession {
    var session = BeatSession()
    session.skipped = skipped
    var clock = RowClock()
    var first: Double?
    let unit = ticksPerUnit
    for sample in samples {
      guard let rr = Self.interval(sample.value, unit) else {
        session.skipped += 1
        continue
      }
      let time = offsets.corrected(sample.time)
      first = first ?? time - rr.milliseconds / 1000
      let end = clock.place(rr, Self.start(time))
      let missing = session.latestBeat.map { end.ticks - rr.ticks > $0.ticks } ?? false
      session.append(rr, end: end, followsGap: missing)
    }
    guard let first else { return session.session(start: nil) }
    for other in others { other.addEvents(to: &session, zero: first) }
    let delay = min(max(first - (zero ?? first), -86_400), 86_400 * 30)
    return session.session(
      start: recorded?.earlier(by: -Int64(delay * Double(RRInterval.ticksPerSecond))))
  }

  /// A clock time as if it were a wall-clock time, for `RowClock`.
  private static func start(_ time: Double) -> FileSession.Start {
    .local(WallTime(microseconds: Int64((min(max(time, -2e9), 2e9) * 1e6).rounded())))
  }

  private func addEvents(to session: inout BeatSession, zero: Double) {
    for sample in samples {
      let time = min(max(offsets.corrected(sample.time) - zero, -1e9), 1e9)
      let at = SessionTime(ticks: Int64(time * Double(RRInterval.ticksPerSecond)))
      // Before the first beat, the session has not begun.
      guard at.ticks >= 0 else { continue }
      switch (stream.content, sample.value) {
      case (.markers, .text(let text)): session.note(text.withoutControlCharacters, at: at)
      case (.heartRates, .number(let rate)) where (1...1000).contains(rate):
        let payload = HeartRateMeasurement(
          heartRate: UInt16(rate.rounded()), rrIntervals: RRIntervals(gattUnits: [])
        ).encoded()
        session.append(SessionEvent(at: at, .notification(payload: payload)))
      default: break
      }
    }
  }

  /// The stated unit, else s if the first value is below 10, else ms.
  private var ticksPerUnit: Int64 {
    if case .intervals(_, let stated?) = stream.content { return stated }
    let first = samples.lazy.compactMap { Self.number($0.value) }.first { $0 > 0 } ?? 1000
    return first < 10 ? RRInterval.ticksPerSecond : RRInterval.ticksPerMillisecond
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .number(let number): number
    case .text(let text): Double(text.filter { !$0.isWhitespace })
    }
  }

  private static func interval(_ value: Value, _ ticksPerUnit: Int64) -> RRInterval? {
    guard let number = number(value), number > 0,
      number * Double(ticksPerUnit) <= Double(RRInterval.longestTicks)
    else { return nil }
    let rr = RRInterval(ticks: Int64((number * Double(ticksPerUnit)).rounded()))
    return rr.ticks > 0 ? rr : nil
  }
}

/// The offset between two clocks as a straight line through measured offsets (linear regression).
struct ClockFit {
  private var count = 0.0
  private var meanTime = 0.0
  private var meanValue = 0.0
  private var squares = 0.0
  private var products = 0.0

  /// Largest plausible drift between two clocks.
  private static let maximumDrift = 0.001

  mutating func add(time: Double, value: Double) {
    count += 1
    let deviation = time - meanTime
    meanTime += deviation / count
    let difference = value - meanValue
    meanValue += difference / count
    squares += deviation * (time - meanTime)
    products += deviation * (value - meanValue)
  }

  /// The time of the recording computer.
  func corrected(_ time: Double) -> Double {
    guard count > 0 else { return time }
    let slope = squares > 0 ? products / squares : 0
    let drift = slope.isFinite && slope.magnitude <= Self.maximumDrift ? slope : 0
    let result = time + meanValue + drift * (time - meanTime)
    return result.isFinite ? result : time
  }
}
