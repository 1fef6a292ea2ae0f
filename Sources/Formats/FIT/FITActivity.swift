import HeartRate
import SessionData

/// Collects from the messages of one FIT file: RR intervals, start time and offset from UTC.
struct FITActivity {
  /// Global message numbers.
  enum Message {
    static let fileID: UInt16 = 0
    static let event: UInt16 = 21
    static let record: UInt16 = 20
    static let activity: UInt16 = 34
    static let hrv: UInt16 = 78
  }

  enum Field {
    static let timestamp: UInt8 = 253
    static let timeCreated: UInt8 = 4
    static let localTimestamp: UInt8 = 5
    /// `time` of `hrv`: RR in 1/1000 s; 0xFFFF is no value.
    static let time: UInt8 = 0
  }

  /// 1989-12-31T00:00:00Z in seconds since 1970.
  static let epoch: Int64 = 631_065_600
  /// Lower times are relative to the start of the device.
  private static let firstAbsoluteTime: UInt32 = 0x1000_0000
  static let none: UInt16 = 0xFFFF

  private var events: SessionEvents
  private var skipped = 0
  private var created: UInt32?
  private var first: UInt32?
  private var utcOffset: Int?

  init(_ mode: SessionEvents.Mode) { events = SessionEvents(mode) }

  static func wants(_ message: UInt16, _ field: UInt8) -> Bool {
    switch (message, field) {
    case (Message.hrv, Field.time), (Message.fileID, Field.timeCreated), (Message.event, Field.timestamp),
      (Message.record, Field.timestamp), (Message.activity, Field.timestamp),
      (Message.activity, Field.localTimestamp):
      true
    default: false
    }
  }

  mutating func handle(_ definition: FITDefinition, _ data: [UInt8]) throws(TooManyBeats) {
    switch definition.message {
    case Message.hrv: try append(definition.words(Field.time, in: data))
    case Message.fileID: created = definition.number(Field.timeCreated, in: data)
    case Message.activity:
      guard let utc = definition.number(Field.timestamp, in: data),
        let local = definition.number(Field.localTimestamp, in: data)
      else { return }
      let offset = Int(local) - Int(utc)
      utcOffset = (-86_400...86_400).contains(offset) ? offset : nil
    default: first = first ?? definition.number(Field.timestamp, in: data)
    }
  }

  /// Beats have the running sum of the intervals as their time, because `hrv` messages have no time.
  private mutating func append(_ words: [UInt16]) throws(TooManyBeats) {
    for word in words where word != Self.none {
      if word > 0 {
        let rr = RRInterval(ticks: Int64(word) * RRInterval.ticksPerMillisecond)
        try events.append(SessionEvent(at: (events.last?.at ?? .zero) + rr, .interval(rr)))
      } else {
        skipped += 1
      }
    }
  }

  /// The session.
  var session: FileSession {
    let time = [first, created].compactMap { $0 }.first { $0 >= Self.firstAbsoluteTime }
    var session = FileSession(
      start: time.map {
        .absolute(
          WallTime(microseconds: (Int64($0) + Self.epoch) * 1_000_000), utcOffset: utcOffset)
      },
      events: events.all)
    session.skipped = skipped
    session.end()
    return session
  }
}
