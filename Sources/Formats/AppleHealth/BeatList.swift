import HeartRate
import SessionData

/// The beats of one measurement.
///
///     <InstantaneousBeatsPerMinute bpm="95" time="6:14:48.94 PM"/>
///
/// Times have the format of the phone's language, a resolution of 1/100 s, and possibly another time zone than the record,
/// so only their differences are used. The difference is the RR interval if it agrees with `bpm`. Otherwise beats are missing:
/// a gap is inserted, and the RR interval is 60,000 / bpm.
struct BeatList {
  private static let halfDay = 43_200 * RRInterval.ticksPerSecond
  private static let quarterHour = 900 * RRInterval.ticksPerSecond
  /// Resolution of the times, in ticks.
  private static let resolution = 10 * RRInterval.ticksPerMillisecond

  /// Limit of the beats of a measurement, which has about 60.
  private static let mostBeats = 100_000

  private let start: FileSession.Start
  private var events: SessionEvents
  /// Clock time of the latest beat, in ticks modulo 12 h.
  private var reading: Int64?
  private var at = SessionTime.zero

  /// The element `Record` of the measurement.
  init(_ record: XMLElement) throws(XMLError) {
    events = SessionEvents(.keeping(mostBeats: Self.mostBeats))
    guard let start = record["startDate"].flatMap({ FileSession.Start(date: $0) }) else {
      throw record.error("a Record without a startDate such as 2026-06-01 07:30:00 +0200")
    }
    self.start = start
  }

  /// Appends an element `InstantaneousBeatsPerMinute`.
  mutating func append(_ beat: XMLElement) throws {
    guard let rate = beat["bpm"].flatMap({ Double($0) }), (10...400).contains(rate) else {
      throw beat.error("a beat without a bpm of 10 to 400")
    }
    guard let next = beat["time"].flatMap(Self.reading) else {
      throw beat.error("a beat without a time such as 7:30:00.12")
    }
    let usual = Int64((60_000 / rate).rounded()) * RRInterval.ticksPerMillisecond
    guard let reading else { return try begin(next, RRInterval(ticks: usual)) }
    let distance = (next - reading + Self.halfDay) % Self.halfDay
    guard distance > 0, distance < Self.quarterHour else {
      throw beat.error("a beat that is not after the one before it")
    }
    self.reading = next
    let previous = at
    at = SessionTime(ticks: at.ticks + distance)
    let shortest = Int64(60_000 / (rate + 1) * 80_000) - Self.resolution
    let longest = Int64(60_000 / (rate - 1) * 80_000) + Self.resolution
    if (shortest...longest).contains(distance) {
      try events.append(SessionEvent(at: at, .interval(RRInterval(ticks: distance))))
    } else {
      let reason = "beats are missing in the list"
      try events.append(SessionEvent(at: previous, .link(LinkChange(.lost, reason: reason))))
      try events.append(SessionEvent(at: previous, .link(LinkChange(.connected))))
      try events.append(SessionEvent(at: at, .interval(RRInterval(ticks: usual))))
    }
  }

  private mutating func begin(_ reading: Int64, _ rr: RRInterval) throws {
    self.reading = reading
    // Time zones differ by multiples of 15 min; a measurement lasts about a minute.
    let begun = start.reading.microseconds % 43_200_000_000 * 80
    at = SessionTime(ticks: ((reading - begun) % Self.quarterHour + Self.quarterHour) % Self.quarterHour)
    try events.append(SessionEvent(at: at, .interval(rr)))
  }

  /// Parses hours, minutes, seconds and decimals with any separators. The result is modulo 12 h, because some languages use
  /// 12-hour times.
  private static func reading(_ text: String) -> Int64? {
    let numbers = text.split { !$0.isNumber }
    guard (3...4).contains(numbers.count), numbers.allSatisfy({ $0.count <= 9 }) else { return nil }
    let parts = numbers.prefix(3).map { digits in
      digits.reduce(Int64(0)) { $0 * 10 + Int64($1.wholeNumberValue ?? 0) }
    }
    guard parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
    var unit = RRInterval.ticksPerSecond
    var part: Int64 = 0
    for digit in numbers.count == 4 ? numbers[3].prefix(6) : "" {
      unit /= 10
      part += Int64(digit.wholeNumberValue ?? 0) * unit
    }
    let seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2]
    return (seconds * RRInterval.ticksPerSecond + part) % halfDay
  }

  var session: FileSession? {
    guard events.beats > 0 else { return nil }
    var session = FileSession(start: start, events: events.all)
    session.end()
    return session
  }
}
