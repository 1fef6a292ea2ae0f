import HeartRate
import Platform
import SessionData

/// Reads a capture of Bluetooth traffic (btsnoop): one session per strap, with the arrival times of the capture.
///
///     "btsnoop\0" | version 1 | link type          then records; all numbers are big-endian:
///     original length | included length | flags | drops | time in us | included bytes
///
/// Link types: 2001, written by btmon and bluetoothd (flags: adapter and packet type), and 1002, written by Android (HCI
/// UART; the first byte is the packet type, bit 0 of the flags is set for received packets).
///
/// Sources: BlueZ, doc/btsnoop.txt; Bluetooth Core Specification 5.4, volume 4 part E and volume 3 parts A, F, G.
struct BTSnoop {
  static let magic = Array("btsnoop\0".utf8)

  private enum LinkType {
    static let uart: UInt32 = 1002
    static let monitor: UInt32 = 2001
  }

  /// 1970 in microseconds since the year 0, the time of the format as BlueZ counts it.
  static let epoch: Int64 = 0x00E0_3AB4_4A67_6000 - 946_684_800_000_000

  /// Limit of a packet in bytes, far above those of HCI.
  private static let longestPacket = 1 << 20

  private var stream: ByteStream
  private var traffic: Traffic

  init(_ stream: ByteStream, _ mode: SessionEvents.Mode) {
    (self.stream, traffic) = (stream, Traffic(mode))
  }

  mutating func sessions(report: (String) -> Void, _ body: (FileSession) throws -> Void) throws {
    let link = try linkType()
    while try record(link, report) {}
    for session in traffic.sessions() { try body(session) }
  }

  private mutating func linkType() throws -> UInt32 {
    let header = try stream.read(16)
    guard header.count == 16, header.starts(with: Self.magic) else {
      throw malformed("a header of 16 bytes that begins with btsnoop is expected", at: 0)
    }
    guard header.bigEndian32(at: 8) == 1 else {
      throw malformed("version \(header.bigEndian32(at: 8)) of the format is not known", at: 8)
    }
    let link = header.bigEndian32(at: 12)
    guard link == LinkType.uart || link == LinkType.monitor else {
      throw malformed("link type \(link) is not known; 1002 (HCI UART) and 2001 (Linux monitor) are", at: 12)
    }
    return link
  }

  /// Reads one record. Returns false at the end. A truncated capture is reported and ends there.
  private mutating func record(_ link: UInt32, _ report: (String) -> Void) throws -> Bool {
    let start = stream.offset
    let header = try stream.read(24)
    if header.isEmpty { return false }
    guard header.count == 24 else {
      report("the capture was cut off at byte \(start); what comes before is kept")
      return false
    }
    let length = header.bigEndian32(at: 4)
    guard length <= Self.longestPacket else {
      throw malformed(
        "a packet of \(length) bytes is longer than the limit of \(Self.longestPacket)", at: start + 4)
    }
    let bytes = try stream.read(Int(length))
    guard bytes.count == Int(length) else {
      report("the capture was cut off at byte \(start); what comes before is kept")
      return false
    }
    let flags = header.bigEndian32(at: 8)
    let high = UInt64(header.bigEndian32(at: 16))
    let time = Int64(bitPattern: high << 32 | UInt64(header.bigEndian32(at: 20)))
    let wall = WallTime(microseconds: time.subtractingReportingOverflow(Self.epoch).partialValue)
    // Partially captured packets are ignored.
    if header.bigEndian32(at: 0) == length, let packet = Self.packet(bytes, flags, link) {
      try traffic.handle(packet, at: wall)
    }
    return true
  }

  private static func packet(_ bytes: [UInt8], _ flags: UInt32, _ link: UInt32) -> HCIPacket? {
    if link == LinkType.uart {
      switch bytes.first {
      case 2:
        return HCIPacket(kind: .data(isReceived: flags & 1 == 1), adapter: 0, bytes: Array(bytes.dropFirst()))
      case 4: return HCIPacket(kind: .event, adapter: 0, bytes: Array(bytes.dropFirst()))
      default: return nil
      }
    }
    let adapter = UInt16(truncatingIfNeeded: flags >> 16)
    switch flags & 0xFFFF {
    case 3: return HCIPacket(kind: .event, adapter: adapter, bytes: bytes)
    case 4: return HCIPacket(kind: .data(isReceived: false), adapter: adapter, bytes: bytes)
    case 5: return HCIPacket(kind: .data(isReceived: true), adapter: adapter, bytes: bytes)
    default: return nil
    }
  }

  private func malformed(_ why: String, at offset: Int) -> FormatError {
    FormatError(.malformed(.btsnoop, .byte(offset), why), path: stream.source.path)
  }
}

/// A packet between host and controller, without the byte of its type.
struct HCIPacket {
  enum Kind: Equatable {
    case event
    case data(isReceived: Bool)
  }

  var kind: Kind
  var adapter: UInt16
  var bytes: [UInt8]
}
