import HeartRate
import JSONLines

/// A line of the protocol that other programs write (docs/reference/source-protocol.md): a line of a recording, or one of three
/// short lines.
///
///     {"rr_ms":[812,805.5],"hr_bpm":74,"t":12.34}
///     {"contact":false}
///     {"sensor":"ANT+ strap 4711"}
struct SourceLine: Sendable {
  enum Content: Equatable, Sendable {
    /// The header of a recording, with its strap.
    case header(StrapIdentity?)
    /// An event of a recording.
    case event(SessionEvent.Kind)
    case beats(Beats)
    case contact(Bool)
    case sensor(StrapIdentity)
  }

  /// RR intervals in units of 1/1024 s, the heart rate in bpm, and the contact if the line states it.
  struct Beats: Equatable, Sendable {
    var intervals: [UInt16] = []
    var heartRate: UInt16?
    var contact: Bool?
  }

  /// Time of the sender's clock in ticks of 1/80,000 ms, from any origin.
  var stamp: Int64?
  var content: Content

  /// The latest time of the sender's clock in seconds: above the Unix time of the year 5000.
  private static let latest: Int64 = 100_000_000_000
  /// The largest number of intervals of one line.
  static let mostIntervals = 64

  init(_ object: JSONObject) throws(RecordingFormat.LineError) {
    stamp = try Self.optional(object, ["t", "monotonic_s"], "seconds from 0 to 1e11") { value in
      object.number(value)?.ticks(
        perUnit: RRInterval.ticksPerSecond, limit: Self.latest * RRInterval.ticksPerSecond)
    }
    if object["rr_ms"] != nil || object["hr_bpm"] != nil {
      content = .beats(try Self.beats(object))
    } else if object["type"].flatMap(object.string) == "header" {
      content = .header(try RecordingFormat.strap(object))
    } else if object["type"] != nil {
      content = .event(try RecordingFormat.kind(object))
    } else if let sensor = try Self.sensor(object) {
      content = .sensor(sensor)
    } else if let contact = try Self.contact(object) {
      content = .contact(contact)
    } else {
      throw RecordingFormat.LineError(
        .unexpected(member: "rr_ms", expected: "it, \"hr_bpm\", \"contact\", \"sensor\" or \"type\""))
    }
  }

  private static func beats(_ object: JSONObject) throws(RecordingFormat.LineError) -> Beats {
    var beats = Beats()
    beats.contact = try contact(object)
    let expected = "an array of at most \(mostIntervals) intervals from 1 to 60000 ms"
    beats.intervals =
      try optional(object, ["rr_ms"], expected) { value in
        // A single number is accepted: many sensors send one interval per beat.
        let elements = object.elements(value) ?? [value]
        let units = elements.compactMap { Self.units(object, $0) }
        return units.count == elements.count && units.count <= mostIntervals ? units : nil
      } ?? []
    beats.heartRate = try optional(object, ["hr_bpm"], "a heart rate from 0 to 1000") { value in
      object.number(value)?.ticks(perUnit: 1, limit: 1000).map(UInt16.init)
    }
    return beats
  }

  /// An interval in ms, rounded to 1/1024 s. Each is rounded alone: carrying the remainder over would vary equal intervals,
  /// by which the sensor class detects repetition.
  private static func units(_ object: JSONObject, _ value: JSONObject.Value) -> UInt16? {
    guard let units = object.number(value)?.ticks(perUnit: 1024, limit: 61_440_000) else { return nil }
    let rounded = (units + 500) / 1000
    return rounded > 0 ? UInt16(rounded) : nil
  }

  private static func contact(_ object: JSONObject) throws(RecordingFormat.LineError) -> Bool? {
    try optional(object, ["contact"], "true or false", object.boolean)
  }

  private static func sensor(_ object: JSONObject) throws(RecordingFormat.LineError) -> StrapIdentity? {
    let name = try optional(object, ["sensor"], "a name of 1 to 100 bytes") { text(object, $0) }
    let address = try optional(object, ["address"], "an address of 1 to 100 bytes") { text(object, $0) }
    return name.map { StrapIdentity(address: address ?? $0, name: $0) }
  }

  private static func text(_ object: JSONObject, _ value: JSONObject.Value) -> String? {
    object.string(value).flatMap { $0.isEmpty || $0.utf8.count > 100 ? nil : $0 }
  }

  /// Parses the first of `names` that is present. Throws if its value is invalid.
  private static func optional<Value>(
    _ object: JSONObject, _ names: [String], _ expected: String, _ read: (JSONObject.Value) -> Value?
  ) throws(RecordingFormat.LineError) -> Value? {
    for name in names {
      guard let value = object[name] else { continue }
      guard let read = read(value) else {
        throw RecordingFormat.LineError(.unexpected(member: name, expected: expected))
      }
      return read
    }
    return nil
  }
}
