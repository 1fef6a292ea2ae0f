import HeartRate
import SessionData

/// The notifications of one peer in a capture.
///
/// Service discovery in the capture identifies the attribute of Heart Rate Measurement. Fallback without discovery (the host
/// had cached the attributes): of the attributes with at least three notifications, all of them plausible heart rates (no
/// reserved flag, no trailing byte, 20 to 250 bpm or no rate, RR of 0.2 to 3 s) and at least one with an RR interval, the one
/// with the most notifications.
struct CapturedStrap {
  private struct Notification {
    var time: WallTime
    var payload: [UInt8]
  }

  private static let heartRateMeasurement: UInt16 = 0x2A37
  private static let batteryLevel: UInt16 = 0x2A19
  private static let fewest = 3

  private let strap: StrapIdentity?
  private var heart: UInt16?
  private var battery: UInt16?
  private var link: [(time: WallTime, change: LinkChange)] = []
  private var notifications: [UInt16: [Notification]] = [:]
  /// Attributes with a notification that is not a plausible heart rate.
  private var others: Set<UInt16> = []

  private let mode: SessionEvents.Mode
  /// The notifications that are kept, with the limit of their beats.
  private var count: SessionEvents

  init(_ strap: StrapIdentity?, _ mode: SessionEvents.Mode) {
    (self.strap, self.mode, count) = (strap, mode, SessionEvents(.counting(mostBeats: mode.mostBeats)))
  }

  mutating func connected(at time: WallTime) {
    link.append((time, LinkChange(.connected, strap: strap)))
  }

  mutating func lost(at time: WallTime, reason: UInt8) {
    link.append((time, LinkChange(.lost, strap: strap, reason: "HCI reason 0x\(String(reason, radix: 16))")))
  }

  /// Handles a discovery result: the value handle of the characteristic `uuid` (2 or 16 bytes, little-endian).
  mutating func declare(_ uuid: [UInt8], at handle: UInt16) {
    switch Self.short(uuid) {
    case Self.heartRateMeasurement: heart = handle
    case Self.batteryLevel: battery = handle
    default: break
    }
  }

  mutating func notified(_ payload: [UInt8], handle: UInt16, at time: WallTime) throws(TooManyBeats) {
    if handle != heart, handle != battery {
      guard heart == nil, !others.contains(handle) else { return }
      guard Self.isPlausible(payload) else {
        others.insert(handle)
        notifications[handle] = nil
        return
      }
    }
    try count.count(SessionEvent(at: .zero, .notification(payload: payload)))
    if mode.keepsEvents {
      notifications[handle, default: []].append(Notification(time: time, payload: payload))
    }
  }

  /// The Bluetooth base UUID, 0000xxxx-0000-1000-8000-00805F9B34FB, little-endian.
  private static let base: [UInt8] = [
    0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00,
  ]

  private static func short(_ uuid: [UInt8]) -> UInt16? {
    if uuid.count == 2 { return uuid.littleEndian16(at: 0) }
    guard uuid.count == 16, uuid.starts(with: base), uuid[14] == 0, uuid[15] == 0 else { return nil }
    return uuid.littleEndian16(at: 12)
  }

  private static func isPlausible(_ payload: [UInt8]) -> Bool {
    guard let first = payload.first, first & 0xE0 == 0,
      let value = try? HeartRateMeasurement(payload: payload), value.leftoverBytes == 0
    else { return false }
    let rate = value.plausibleHeartRate ?? 60
    return (20...250).contains(rate)
      && value.rrIntervals.allSatisfy { (200.0...3000.0).contains($0.milliseconds) }
  }

  private var heartHandle: UInt16? {
    if let heart { return heart }
    let candidates = notifications.filter { handle, sent in
      handle != battery && sent.count >= Self.fewest
        && sent.contains { (try? HeartRateMeasurement(payload: $0.payload))?.rrIntervals.isEmpty == false }
    }
    // Among equals, the lowest handle: the result does not depend on the order of the dictionary.
    return candidates.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
  }

  /// The session, if the peer sent heart rates.
  var session: FileSession? {
    guard let heartHandle, let beats = notifications[heartHandle] else { return nil }
    var all = link.map { (time: $0.time, kind: SessionEvent.Kind.link($0.change)) }
    all += beats.map { ($0.time, .notification(payload: $0.payload)) }
    for sent in battery.flatMap({ notifications[$0] }) ?? [] {
      if let level = BatteryLevel(payload: sent.payload) { all.append((sent.time, .battery(level))) }
    }
    // A stable sort: equal times keep the order above.
    let ordered = all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return session(ordered.map(\.element))
  }

  private func session(_ parts: [(time: WallTime, kind: SessionEvent.Kind)]) -> FileSession? {
    guard let start = parts.first?.time else { return nil }
    var session = FileSession(start: .absolute(start, utcOffset: nil), strap: strap)
    session.events = parts.map { part in
      let elapsed = part.time.microseconds.subtractingReportingOverflow(start.microseconds)
      let at = elapsed.overflow ? Int64.max : min(elapsed.partialValue, 1 << 56) * 80
      return SessionEvent(at: SessionTime(ticks: at), wall: part.time, part.kind)
    }
    // A link loss at the end ends the session and is not a gap.
    if case .link(let change)? = session.events.last?.kind, change.state == .lost {
      session.events[session.events.count - 1].kind = .end
    } else {
      session.events.append(SessionEvent(at: session.events.last?.at ?? .zero, wall: parts.last?.time, .end))
    }
    return session
  }
}
