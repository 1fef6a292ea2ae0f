import HRV
import HeartRate
import JSONLines
import SessionData
import Stress

extension RecordingFormat {
  /// Decodes the event of one line.
  /// - Throws: the reason for a ``RecordingDamage``.
  static func event(_ object: JSONObject) throws(LineError) -> SessionEvent {
    let kind = try kind(object)
    let at = try required(object, "monotonic_s") { object.number($0).flatMap(time) }
    return SessionEvent(at: at, wall: try optional(object, "time") { wall(object, $0) }, kind)
  }

  /// Decodes the event of one line without its time.
  static func kind(_ object: JSONObject) throws(LineError) -> SessionEvent.Kind {
    guard let type = object["type"].flatMap(object.string) else { throw LineError(.unknownType(nil)) }
    return switch type {
    case "notification": try notification(object)
    case "link": .link(try link(object))
    case "battery": .battery(try battery(object))
    case "sensor": try sensorFrame(object)
    case "stream": .stream(try streamChange(object))
    case "mark": .mark(try required(object, "text", object.string))
    case "end": .end
    case "header": throw LineError(.secondHeader)
    default: throw LineError(.unknownType(type))
    }
  }

  struct LineError: Error {
    var reason: RecordingDamage.Reason
    init(_ reason: RecordingDamage.Reason) { self.reason = reason }
  }

  private static func notification(_ object: JSONObject) throws(LineError) -> SessionEvent.Kind {
    if let hex = object["hex"] {
      guard hex.kind == .string, let payload = bytes(hex: object.bytes[hex.range]) else {
        throw LineError(.badMember("hex"))
      }
      return .notification(payload: payload)
    }
    let rr = try required(object, "rr_ms") { value -> RRInterval? in
      guard let elements = object.elements(value), elements.count == 1 else { return nil }
      return object.number(elements[0]).flatMap {
        $0.ticks(perUnit: RRInterval.ticksPerMillisecond, limit: RRInterval.longestTicks)
      }.map(RRInterval.init(ticks:))
    }
    return .interval(rr)
  }

  private static func sensorFrame(_ object: JSONObject) throws(LineError) -> SessionEvent.Kind {
    .sensorFrame(
      payload: try required(object, "base64") { value in
        value.kind == .string ? Base64.decode(object.bytes[value.range]) : nil
      })
  }

  private static func streamChange(_ object: JSONObject) throws(LineError) -> SensorStreamChange {
    func integer(_ value: JSONObject.Value) -> Int? {
      object.number(value)?.ticks(perUnit: 1, limit: 1_000_000).map(Int.init)
    }
    func factor(_ value: JSONObject.Value) -> Double? {
      object.double(value).flatMap { $0.isFinite ? $0 : nil }
    }
    let settings = SensorSettings(
      rate: try optional(object, "rate_hz", integer),
      resolution: try optional(object, "resolution_bits", integer),
      range: try optional(object, "range_g", integer), factor: try optional(object, "factor", factor) ?? 1)
    return SensorStreamChange(
      try required(object, "stream") { object.string($0).flatMap { SensorStream(name: $0) } },
      try required(object, "state") { object.string($0).flatMap(SensorStreamChange.State.init) },
      settings: settings, reason: try optional(object, "reason", object.string))
  }

  private static func link(_ object: JSONObject) throws(LineError) -> LinkChange {
    let state = try required(object, "state") { object.string($0).flatMap(LinkChange.State.init) }
    return LinkChange(state, strap: try strap(object), reason: try optional(object, "reason", object.string))
  }

  static func strap(_ object: JSONObject) throws(LineError) -> StrapIdentity? {
    let name = try optional(object, "strap_name", object.string)
    return try optional(object, "strap", object.string).map { StrapIdentity(address: $0, name: name) }
  }

  private static func battery(_ object: JSONObject) throws(LineError) -> BatteryLevel {
    try required(object, "battery_percent") {
      object.number($0)?.ticks(perUnit: 1, limit: 100).flatMap { BatteryLevel(percent: UInt8($0)) }
    }
  }

  /// The times of the readings in the header of exported lines, if it states them.
  static func readings(_ object: JSONObject) throws(LineError) -> [SessionTime]? {
    try optional(object, "readings") { value in
      guard let elements = object.elements(value) else { return nil }
      let times = elements.compactMap { element -> SessionTime? in
        guard let reading = object.object(element) else { return nil }
        return reading["monotonic_s"].flatMap(reading.number).flatMap(time)
      }
      return times.count == elements.count ? times : nil
    }
  }

  private static func required<Value>(
    _ object: JSONObject, _ name: String, _ read: (JSONObject.Value) -> Value?
  ) throws(LineError) -> Value {
    guard let value = object[name].flatMap(read) else { throw LineError(.badMember("\(name)")) }
    return value
  }

  /// Parses the member, if it is present. Throws if its value is invalid.
  private static func optional<Value>(
    _ object: JSONObject, _ name: String, _ read: (JSONObject.Value) -> Value?
  ) throws(LineError) -> Value? {
    guard let value = object[name] else { return nil }
    guard let read = read(value) else { throw LineError(.badMember("\(name)")) }
    return read
  }

  private static func wall(_ object: JSONObject, _ value: JSONObject.Value) -> WallTime? {
    object.string(value).flatMap(WallTime.init(rfc3339:))
  }

  /// A time of up to 1e9 s, the limit of `SessionTime`.
  private static func time(_ number: DecimalNumber) -> SessionTime? {
    number.ticks(
      perUnit: RRInterval.ticksPerSecond, limit: 1_000_000_000 * RRInterval.ticksPerSecond
    ).map(SessionTime.init(ticks:))
  }

  private static func bytes(hex text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var rest = text
    while let high = rest.popFirst(), let low = rest.popFirst() {
      guard let high = hexDigit(high), let low = hexDigit(low) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension RecordingFormat {
  /// Decodes the header, and lists its invalid members.
  /// - Throws: the code of a ``RecordingError``.
  static func header(
    _ object: JSONObject, format: String = name
  ) throws(HeaderError) -> (header: RecordingHeader, damage: [RecordingDamage]) {
    guard object["type"].flatMap(object.string) == "header",
      object["format"].flatMap(object.string) == format
    else { throw HeaderError(.notARecording) }
    guard let version = object["version"].flatMap(object.number)?.ticks(perUnit: 1, limit: .max) else {
      throw HeaderError(.badHeader("it has no \"version\""))
    }
    guard version <= Self.version else { throw HeaderError(.newerVersion(version)) }
    guard version > 0 else { throw HeaderError(.badHeader("there is no version \(version)")) }
    var reader = HeaderReader(object: object)
    return (reader.header(), reader.damage)
  }

  struct HeaderError: Error {
    var code: RecordingError.Code
    init(_ code: RecordingError.Code) { self.code = code }
  }
}

/// Decodes a header. A missing value has its default; an invalid one also adds to ``damage``.
private struct HeaderReader {
  let object: JSONObject
  var damage: [RecordingDamage] = []

  mutating func header() -> RecordingHeader {
    let name = text("strap_name")
    return RecordingHeader(
      session: text("session") ?? "", profile: text("profile") ?? "me",
      strap: text("strap").map { StrapIdentity(address: $0, name: name) },
      started: value("time", of: object) { $1.string($0).flatMap(WallTime.init(rfc3339:)) },
      zone: text("zone"), settings: settings(), baseline: baseline(), program: text("program"),
      engine: engine())
  }

  private mutating func engine() -> Int? {
    value("engine", of: object) { $1.number($0)?.ticks(perUnit: 1, limit: 1_000_000).map(Int.init) }
  }

  private mutating func settings() -> StressEngine.Settings {
    var settings = StressEngine.Settings()
    guard let part = value("settings", of: object, { $1.object($0) }) else { return settings }
    if let window = value("window_s", of: part, { Self.window($1.number($0)) }) { settings.window = window }
    if let metric = value("hrv", of: part, { $1.string($0).flatMap(HRVMetric.init) }) {
      settings.metric = metric
    }
    if let raw = value("raw", of: part, { $1.boolean($0) }) {
      settings.classification = raw ? .none : .provisional
    }
    return settings
  }

  private mutating func baseline() -> Baseline {
    var baseline = Baseline.populationDefault
    guard let part = value("baseline", of: object, { $1.object($0) }) else { return baseline }
    for (name, field) in [
      ("baseline_rmssd_ms", \Baseline.rmssd), ("baseline_sdnn_ms", \.sdnn),
      ("resting_hr_bpm", \.restingHeartRate),
    ] as [(String, WritableKeyPath<Baseline, Double>)] {
      let positive = value(name, of: part) { $1.double($0).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
      if let positive { baseline[keyPath: field] = positive }
    }
    let days = value("days", of: part) { $1.double($0).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil } }
    if let days { (baseline.days, baseline.weight) = (days, Baseline.maturity(days: days)) }
    let weight = value("weight", of: part) { $1.double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
    if let weight { baseline.weight = weight }
    if let origin = value("source", of: part, { $1.string($0).flatMap(Baseline.Origin.init) }) {
      baseline.origin = origin
    }
    return baseline
  }

  private static func window(_ number: DecimalNumber?) -> Duration? {
    let longest = StressEngine.Settings.windows.upperBound.ticks
    let ticks = number?.ticks(perUnit: RRInterval.ticksPerSecond, limit: longest)
    return ticks.map(Duration.init(ticks:)).flatMap { StressEngine.Settings.windows.contains($0) ? $0 : nil }
  }

  private mutating func text(_ name: String) -> String? { value(name, of: object) { $1.string($0) } }

  private mutating func value<Value>(
    _ name: String, of part: JSONObject, _ read: (JSONObject.Value, JSONObject) -> Value?
  ) -> Value? {
    guard let raw = part[name] else { return nil }
    let value = read(raw, part)
    if value == nil { damage.append(RecordingDamage(line: 1, .badSetting("\(name)"))) }
    return value
  }
}
