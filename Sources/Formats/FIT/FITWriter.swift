package import HeartRate

extension RRSeries {
  /// A FIT activity with `hrv` messages of five intervals in whole ms. Times have a resolution of 1 s.
  package func fit(started: WallTime, utcOffset: Int) -> [UInt8] {
    let milliseconds = milliseconds()
    var file = FITWriter(started: started, utcOffset: utcOffset, milliseconds: milliseconds.reduce(0, +))
    file.begin()
    for start in stride(from: 0, to: milliseconds.count, by: FITWriter.slots) {
      file.hrv(milliseconds[start...].prefix(FITWriter.slots).map { UInt16(clamping: $0) })
    }
    return file.end()
  }
}

/// Writes the required messages of an activity, and `hrv`. All numbers are little-endian.
private struct FITWriter {
  /// Number of intervals per message.
  static let slots = 5

  private enum Local {
    static let fileID: UInt8 = 0
    static let event: UInt8 = 1
    static let hrv: UInt8 = 2
    static let lap: UInt8 = 3
    static let session: UInt8 = 4
    static let activity: UInt8 = 5
  }

  private enum Base {
    static let enumeration: UInt8 = 0x00
    static let uint16: UInt8 = 0x84
    static let uint32: UInt8 = 0x86
  }

  /// Values of `event` and `event_type`.
  private enum Event {
    static let timer: UInt8 = 0
    static let session: UInt8 = 8
    static let lap: UInt8 = 9
    static let activity: UInt8 = 26
    static let start: UInt8 = 0
    static let stop: UInt8 = 1
    static let stopAll: UInt8 = 4
  }

  private static let developmentManufacturer: UInt16 = 255
  private static let activityFile: UInt8 = 4
  private static let protocolVersion: UInt8 = 0x20
  private static let profileVersion: UInt16 = 2132

  private let start: UInt32
  private let stop: UInt32
  private let localStop: UInt32
  private let duration: UInt32
  private var records: [UInt8] = []

  init(started: WallTime, utcOffset: Int, milliseconds: Int64) {
    start = Self.time(started, 0)
    let stopped = started.advanced(ticks: milliseconds * RRInterval.ticksPerMillisecond)
    stop = Self.time(stopped, 0)
    localStop = Self.time(stopped, utcOffset)
    duration = UInt32(clamping: milliseconds)
  }

  /// Seconds since the end of 1989; the value for "none" if it does not fit.
  private static func time(_ time: WallTime, _ utcOffset: Int) -> UInt32 {
    let seconds = time.microseconds / 1_000_000 - FITActivity.epoch + Int64(utcOffset)
    return UInt32(exactly: seconds) ?? .max
  }

  mutating func begin() {
    define(
      Local.fileID, FITActivity.Message.fileID,
      [(0, Base.enumeration), (1, Base.uint16), (2, Base.uint16), (4, Base.uint32)])
    data(
      Local.fileID, [Self.activityFile], Self.developmentManufacturer.bytes, UInt16(0).bytes, start.bytes)
    define(
      Local.event, FITActivity.Message.event,
      [(FITActivity.Field.timestamp, Base.uint32), (0, Base.enumeration), (1, Base.enumeration)])
    event(start, Event.start)
    define(Local.hrv, FITActivity.Message.hrv, [(FITActivity.Field.time, Base.uint16)], count: Self.slots)
  }

  mutating func hrv(_ words: [UInt16]) {
    let full = words + Array(repeating: FITActivity.none, count: Self.slots - words.count)
    data(Local.hrv, full.flatMap(\.bytes))
  }

  mutating func end() -> [UInt8] {
    event(stop, Event.stopAll)
    let span: [(UInt8, UInt8)] = [
      (253, Base.uint32), (2, Base.uint32), (7, Base.uint32), (8, Base.uint32), (0, Base.enumeration),
      (1, Base.enumeration),
    ]
    for (local, message, event) in [(Local.lap, UInt16(19), Event.lap), (Local.session, 18, Event.session)] {
      define(local, message, span)
      data(local, [stop, start, duration, duration].flatMap(\.bytes), [event, Event.stop])
    }
    activity()
    return whole()
  }

  private mutating func activity() {
    define(
      Local.activity, FITActivity.Message.activity,
      [
        (253, Base.uint32), (0, Base.uint32), (1, Base.uint16), (2, Base.enumeration), (3, Base.enumeration),
        (4, Base.enumeration), (FITActivity.Field.localTimestamp, Base.uint32),
      ])
    let kinds = [0, Event.activity, Event.stop]
    data(Local.activity, stop.bytes, duration.bytes, UInt16(1).bytes, kinds, localStop.bytes)
  }

  private func whole() -> [UInt8] {
    var file: [UInt8] = [14, Self.protocolVersion]
    file += Self.profileVersion.bytes
    file += UInt32(clamping: records.count).bytes
    file += FITFile.mark
    file += Self.checksum(file).bytes
    file += records
    file += Self.checksum(file).bytes
    return file
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var crc = FITChecksum()
    crc.update(bytes)
    return crc.value
  }

  private mutating func event(_ time: UInt32, _ type: UInt8) {
    data(Local.event, time.bytes, [Event.timer, type])
  }

  private mutating func define(
    _ local: UInt8, _ message: UInt16, _ fields: [(number: UInt8, base: UInt8)], count: Int = 1
  ) {
    records += [0x40 | local, 0, 0]
    records += message.bytes
    records.append(UInt8(fields.count))
    for field in fields {
      let size = field.base == Base.uint32 ? 4 : field.base == Base.uint16 ? 2 : 1
      records += [field.number, UInt8(size * count), field.base]
    }
  }

  private mutating func data(_ local: UInt8, _ fields: [UInt8]...) {
    records.append(local)
    for field in fields { records += field }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// Little-endian bytes.
  fileprivate var bytes: [UInt8] {
    stride(from: 0, to: bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
