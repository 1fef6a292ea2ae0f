package import HeartRate
import JSONLines
import Platform

/// Writes a session as data points of Open mHealth: `omh:rr-interval:1.0` for each RR interval, `omh:heart-rate:2.0` for each
/// heart rate that the strap sent. The file is one JSON array, with one data point per line.
///
/// Source: Open mHealth, documentation of the schemas header, rr-interval and heart-rate.
package struct OpenMHealthWriter {
  private let session: ResearchSession
  /// Identifies the session in the IDs of the data points.
  private let seed: UInt64

  /// - Parameter id: the ID of the session.
  package init(_ session: ResearchSession, id: String) {
    self.session = session
    seed = id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// Writes the file.
  /// - Parameter events: the events that `session` was made from.
  package func write(_ events: some Sequence<SessionEvent>, to sink: ByteSink) throws {
    var points = DataPoints(seed: seed, session: session)
    var before: SessionTime?
    for peak in session.chain.peaks {
      if peak.verdict != nil, let before { points.append(from: before, to: peak.at) }
      before = peak.at
      try points.pass(to: sink)
    }
    for event in events {
      guard case .notification(let payload) = event.kind,
        let rate = (try? HeartRateMeasurement(payload: payload))?.plausibleHeartRate
      else { continue }
      points.append(heartRate: rate, at: event.at)
      try points.pass(to: sink)
    }
    try points.finish(to: sink)
  }
}

private struct DataPoints {
  let seed: UInt64
  let session: ResearchSession
  private var count: UInt64 = 0
  private var bytes = Array("[\n".utf8)

  init(seed: UInt64, session: ResearchSession) { (self.seed, self.session) = (seed, session) }

  mutating func append(from start: SessionTime, to end: SessionTime) {
    let time = text(start)
    let rr = RRInterval(ticks: end.ticks - start.ticks)
    point("rr-interval", "1.0", at: text(end)) {
      $0.put("rr_interval") { Self.put(rr, to: &$0) }
      $0.put("effective_time_frame") {
        $0.put("time_interval") {
          $0.put("start_date_time", time)
          $0.put("duration") { Self.put(rr, to: &$0) }
        }
      }
    }
  }

  mutating func append(heartRate: UInt16, at time: SessionTime) {
    let time = text(time)
    point("heart-rate", "2.0", at: time) {
      $0.put("heart_rate") {
        $0.put("value", Int(heartRate))
        $0.put("unit", "beats/min")
      }
      $0.put("effective_time_frame") { $0.put("date_time", time) }
    }
  }

  /// Passes the data points to `sink` if there are enough.
  mutating func pass(to sink: ByteSink) throws {
    guard bytes.count >= 1 << 16 else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  func finish(to sink: ByteSink) throws { try sink(bytes + Array("\n]\n".utf8)) }

  private static func put(_ rr: RRInterval, to line: inout JSONLine) {
    var digits: [UInt8] = []
    digits.append(milliseconds: rr.ticks)
    line.put("value", document: digits)
    line.put("unit", "ms")
  }

  private mutating func point(
    _ name: String, _ version: String, at time: String, _ body: (inout JSONLine) -> Void
  ) {
    let id = id(count)
    var line = JSONLine()
    line.line {
      $0.put("header") {
        $0.put("id", id)
        $0.put("creation_date_time", time)
        $0.put("schema_id") {
          $0.put("namespace", "omh")
          $0.put("name", name)
          $0.put("version", version)
        }
        $0.put("acquisition_provenance") {
          $0.put("source_name", "stressmon")
          $0.put("modality", "sensed")
        }
      }
      $0.put("body", body)
    }
    if count > 0 { bytes += ",\n".utf8 }
    bytes += line.bytes.dropLast()
    count += 1
  }

  /// A UUID of version 8 (RFC 9562) from the session and the number of the data point: equal in each export.
  private func id(_ number: UInt64) -> String {
    var random = SplitMix64(seed: seed, stream: number)
    var digits = [random.next(), random.next()].flatMap { word in
      stride(from: 60, through: 0, by: -4).map { Character(String(word >> UInt64($0) & 15, radix: 16)) }
    }
    digits[12] = "8"
    digits[16] = "8"
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(digits[$0]) }.joined(separator: "-")
  }

  /// `2026-11-20T07:30:00.123456+01:00`, rounded down to a microsecond.
  private func text(_ time: SessionTime) -> String {
    let offset = session.utcOffset
    let local = session.localStart.advanced(ticks: time.ticks).rfc3339.dropLast()
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(offset) / 60
    return "\(local)\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
