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
  /// The samples of intervals and heart rates; NaN for texts that are no numbers.
  private var numbers: [(value: Double, time: Double)] = []
  private var markers: [(text: String, time: Double)] = []
  private let mode: SessionEvents.Mode
  private var count = 0
  private var lastTime = 0.0
  private var skipped = 0

  init(_ stream: XDFStream, _ mode: SessionEvents.Mode) { (self.stream, self.mode) = (stream, mode) }

  var isIntervals: Bool { if case .intervals = stream.content { true } else { false } }

  /// - Parameter time: Absent if the sample follows the one before it at the nominal rate.
  /// - Throws: ``TooManyBeats`` for more samples than a session has beats.
  mutating func append(_ value: Value, time: Double?) throws(TooManyBeats) {
    let at = time ?? (stream.rate > 0 ? lastTime + 1 / stream.rate : lastTime)
    guard at.isFinite, at.magnitude < 1e9 else {
      skipped += 1
      return
    }
    lastTime = at
    count += 1
    guard count <= mode.mostBeats else { throw TooManyBeats(limit: mode.mostBeats) }
    if mode.keepsEvents { keep(value, at) }
  }

  private mutating func keep(_ value: Value, _ time: Double) {
    switch value {
    case .text(let text) where stream.content == .markers: markers.append((text, time))
    case .text(let text): numbers.append((Double(text.filter { !$0.isWhitespace }) ?? .nan, time))
    case .number(let number): numbers.append((number, time))
    }
  }

  // MARK: Session

  /// - Parameters:
  ///   - others: the streams of heart rates and markers.
  ///   - recorded: the start of the recording in the header of the file.
  ///   - zero: the clock time at that start.
  func session(with others: [XDFSeries], recorded: FileSession.Start?, zero: Double?) throws
    -> FileSession
  {
    var session = BeatSession(mode)
    session.skipped = skipped
    var clock = RowClock()
    var first: Double?
    let unit = ticksPerUnit
    for sample in numbers {
      guard let rr = Self.interval(sample.value, unit) else {
        session.skipped += 1
        continue
      }
      let time = offsets.corrected(sample.time)
      first = first ?? time - rr.milliseconds / 1000
      let end = clock.place(rr, Self.start(time))
      let missing = session.latestBeat.map { end.ticks - rr.ticks > $0.ticks } ?? false
      try session.append(rr, end: end, followsGap: missing)
    }
    guard let first else { return session.session(start: nil) }
    for other in others { try other.addEvents(to: &session, zero: first) }
    let delay = min(max(first - (zero ?? first), -86_400), 86_400 * 30)
    return session.session(
      start: recorded?.earlier(by: -Int64(delay * Double(RRInterval.ticksPerSecond))))
  }

  /// A clock time as if it were a wall-clock time, for `RowClock`.
  private static func start(_ time: Double) -> FileSession.Start {
    .local(WallTime(microseconds: Int64((min(max(time, -2e9), 2e9) * 1e6).rounded())))
  }

  private func addEvents(to session: inout BeatSession, zero: Double) throws(TooManyBeats) {
    for (text, time) in markers {
      guard let at = sessionTime(time, after: zero) else { continue }
      try session.note(text.withoutControlCharacters, at: at)
    }
    for (rate, time) in numbers where (1...1000).contains(rate) {
      guard let at = sessionTime(time, after: zero) else { continue }
      let payload = HeartRateMeasurement(
        heartRate: UInt16(rate.rounded()), rrIntervals: RRIntervals(gattUnits: [])
      ).encoded()
      try session.append(SessionEvent(at: at, .notification(payload: payload)))
    }
  }

  /// The session time of a sample. The session begins with the first beat, and earlier samples have none.
  private func sessionTime(_ time: Double, after zero: Double) -> SessionTime? {
    let seconds = min(max(offsets.corrected(time) - zero, -1e9), 1e9)
    return seconds >= 0 ? SessionTime(ticks: Int64(seconds * Double(RRInterval.ticksPerSecond))) : nil
  }

  /// The stated unit, else s if the first value is below 10, else ms.
  private var ticksPerUnit: Int64 {
    if case .intervals(_, let stated?) = stream.content { return stated }
    let first = numbers.first { $0.value > 0 }?.value ?? 1000
    return first < 10 ? RRInterval.ticksPerSecond : RRInterval.ticksPerMillisecond
  }

  private static func interval(_ number: Double, _ ticksPerUnit: Int64) -> RRInterval? {
    guard number > 0,
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
