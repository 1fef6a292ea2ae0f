import HeartRate
import JSONLines
import Platform
import SessionData

/// Reads data points of Open mHealth: `rr-interval` and `heart-rate`, with their header or only their body. Others are skipped.
///
/// All data points are one session. Memory grows with the beats.
struct OpenMHealthReader {
  private let source: ByteSource
  private var session: BeatSession
  private var start: FileSession.Start?
  private var coarse = RowClock()
  private var end = SessionTime.zero

  /// Differences of precise times up to this are rounding, in ticks: 1 ms.
  private static let rounding = RRInterval.ticksPerMillisecond
  private static let rates = 1.0...1000.0

  init(_ source: ByteSource, _ mode: SessionEvents.Mode) {
    (self.source, session) = (source, BeatSession(mode))
  }

  /// Whether the beginning of JSON text is that of data points.
  static func matches(_ text: String) -> Bool {
    ["\"rr_interval\"", "\"heart_rate\"", "\"schema_id\""].contains { text.contains($0) }
  }

  mutating func read() throws -> FileSession {
    var objects = JSONObjects(ByteStream(source))
    while true {
      do {
        guard let (bytes, offset) = try objects.next() else { break }
        try append(bytes, at: offset)
      } catch let problem as JSONObjects<ByteStream>.Problem {
        throw malformed(Self.text(problem), at: objects.offset)
      }
    }
    return session.session(start: start)
  }

  private static func text(_ problem: JSONObjects<ByteStream>.Problem) -> String {
    switch problem {
    case .tooLong: "a data point is longer than \(JSONObjects<ByteStream>.longest) bytes"
    case .unexpected: "a JSON object is expected"
    case .incomplete: "the file ends within a data point"
    }
  }

  private mutating func append(_ bytes: [UInt8], at offset: Int) throws {
    let point: JSONObject
    do throws(JSONSyntaxError) {
      point = try JSONObject(bytes)
    } catch {
      throw malformed("\(error.expected) is expected", at: offset + error.offset)
    }
    let body = point["body"].flatMap { point.object($0) } ?? point
    if let value = body["rr_interval"] {
      // A statistic of several intervals is not a beat.
      guard body["descriptive_statistic"] == nil else {
        session.skipped += 1
        return
      }
      try append(interval: value, of: body, at: offset)
    } else if let value = body["heart_rate"], body["descriptive_statistic"] == nil {
      try append(heartRate: value, of: body, at: offset)
    }
  }

  // MARK: Intervals

  private mutating func append(interval value: JSONObject.Value, of body: JSONObject, at offset: Int) throws {
    guard let rr = Self.duration(value, in: body), rr.ticks > 0 else {
      throw malformed("no rr_interval with a value above 0 and the unit ms", at: offset)
    }
    guard let frame = TimeFrame(body), let (time, isPrecise) = frame.end(of: rr) else {
      throw malformed("no effective_time_frame with a date and time", at: offset)
    }
    let first = start ?? time.earlier(by: rr.ticks)
    start = first
    guard isPrecise else {
      end = coarse.place(rr, time)
      let missing = session.latestBeat.map { end.ticks - rr.ticks - $0.ticks > Self.rounding } ?? false
      return try session.append(rr, end: end, followsGap: missing)
    }
    let stated = Self.ticks(from: first, to: time)
    let sum = end + rr
    let isNext = session.isEmpty || (stated.ticks - sum.ticks) <= Self.rounding
    if session.isEmpty { end = stated } else { end = isNext ? sum : stated }
    try session.append(rr, end: end, followsGap: !isNext)
  }

  private static func ticks(from start: FileSession.Start, to time: FileSession.Start) -> SessionTime {
    let micro = time.reading.microseconds - start.reading.microseconds
    return SessionTime(ticks: max(min(micro, 1 << 56), -1 << 56) * 80)
  }

  /// A value with the unit ms or sec.
  fileprivate static func duration(_ value: JSONObject.Value, in object: JSONObject) -> RRInterval? {
    guard let quantity = object.object(value),
      let number = quantity["value"].flatMap({ quantity.number($0) }),
      let unit = quantity["unit"].flatMap({ quantity.string($0) })
    else { return nil }
    let units = ["ms": RRInterval.ticksPerMillisecond, "sec": RRInterval.ticksPerSecond]
    return units[unit].flatMap {
      number.ticks(perUnit: $0, limit: RRInterval.longestTicks)
    }.map(RRInterval.init)
  }

  // MARK: Heart rates

  private mutating func append(heartRate value: JSONObject.Value, of body: JSONObject, at offset: Int) throws
  {
    guard let quantity = body.object(value), let rate = quantity["value"].flatMap({ quantity.double($0) }),
      Self.rates.contains(rate)
    else { throw malformed("no heart_rate with a value from 1 to 1000", at: offset) }
    guard let frame = TimeFrame(body), let (time, _) = frame.end(of: RRInterval(ticks: 0)) else {
      throw malformed("no effective_time_frame with a date and time", at: offset)
    }
    let first = start ?? time
    start = first
    let payload = HeartRateMeasurement(
      heartRate: UInt16(rate.rounded()), rrIntervals: RRIntervals(gattUnits: [])
    ).encoded()
    try session.append(
      SessionEvent(at: Self.ticks(from: first, to: time), .notification(payload: payload)))
  }

  private func malformed(_ why: String, at offset: Int) -> FormatError {
    FormatError(.malformed(.openMHealth, .byte(offset), why), path: source.path)
  }
}

/// The member `effective_time_frame` of a data point.
private struct TimeFrame {
  private let frame: JSONObject

  init?(_ body: JSONObject) {
    guard let frame = body["effective_time_frame"].flatMap({ body.object($0) }) else { return nil }
    self.frame = frame
  }

  /// The end of an interval, and whether its time has at least milliseconds.
  func end(of rr: RRInterval) -> (FileSession.Start, isPrecise: Bool)? {
    if let text = frame["date_time"].flatMap({ frame.string($0) }) { return Self.time(text, later: 0) }
    guard let interval = frame["time_interval"].flatMap({ frame.object($0) }) else { return nil }
    if let text = interval["end_date_time"].flatMap({ interval.string($0) }) {
      return Self.time(text, later: 0)
    }
    guard let text = interval["start_date_time"].flatMap({ interval.string($0) }) else { return nil }
    let duration = interval["duration"].flatMap { OpenMHealthReader.duration($0, in: interval) } ?? rr
    return Self.time(text, later: duration.ticks)
  }

  private static func time(_ text: String, later ticks: Int64) -> (FileSession.Start, isPrecise: Bool)? {
    guard text.utf8.count <= 64, let time = FileSession.Start(date: text) else { return nil }
    let decimals = text.split(separator: ".", maxSplits: 1).dropFirst().first?.prefix { $0.isNumber }
    return (time.earlier(by: -ticks), (decimals?.utf8.count ?? 0) >= 3)
  }
}
