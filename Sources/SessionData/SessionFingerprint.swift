package import HeartRate

extension FileSession {
  /// The fingerprint of the session, see ``SessionFingerprint``.
  package var fingerprint: [UInt8] {
    var fingerprint = SessionFingerprint(start: start)
    for event in events { fingerprint.add(event) }
    return fingerprint.bytes
  }
}

/// A 16-byte hash of the start time (if known) and all events. Independent of the file name and of beat verdicts.
///
/// FNV-1a with 128 bits (Fowler, Noll, Vo): among a million sessions, the probability of a collision is below 1e-26.
package struct SessionFingerprint: Sendable {
  private var hash = FNV()

  package init(start: FileSession.Start?) {
    if let start { hash.add(start.reading.microseconds) }
  }

  /// Adds the next event.
  package mutating func add(_ event: SessionEvent) { hash.add(event) }

  /// The hash of the events so far.
  package var bytes: [UInt8] { hash.bytes }
}

private struct FNV: Sendable {
  private var state: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
  private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B

  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: state >> (8 * (15 - UInt128($0)))) } }

  mutating func add(_ event: SessionEvent) {
    switch event.kind {
    case .notification(let payload):
      add(1, event)
      add(payload)
    case .interval(let rr):
      add(2, event)
      add(rr.ticks)
    case .link(let change):
      add(3, event)
      add(Array(change.state.rawValue.utf8))
    case .battery(let level):
      add(4, event)
      add(Int64(level.percent))
    case .mark(let text):
      add(5, event)
      add(Array(text.utf8))
    case .end: add(6, event)
    case .sensorFrame(let payload):
      add(7, event)
      add(payload)
    case .stream(let change):
      add(8, event)
      add(Array("\(change.stream.name) \(change.state.rawValue)".utf8))
    }
  }

  private mutating func add(_ kind: Int64, _ event: SessionEvent) {
    add(kind)
    add(event.at.ticks)
  }

  mutating func add(_ number: Int64) {
    let word = UInt64(bitPattern: number)
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }

  private mutating func add(_ bytes: [UInt8]) {
    add(Int64(bytes.count))
    for byte in bytes { add(byte) }
  }

  private mutating func add(_ byte: UInt8) { state = (state ^ UInt128(byte)) &* Self.prime }
}
