import HeartRate
import SessionData

/// Tracks the links of a capture: their peers and the traffic of their attribute protocol.
struct Traffic {
  private struct LinkKey: Hashable {
    var adapter: UInt16
    var handle: UInt16
  }

  private struct Link {
    /// Index in ``peers``.
    var peer: Int
    /// Incomplete L2CAP frames.
    var received = FrameReassembly()
    var sent = FrameReassembly()
    /// Attribute type of the latest Read By Type request.
    var askedType: UInt16?
  }

  private let mode: SessionEvents.Mode
  private var links: [LinkKey: Link] = [:]
  private var peers: [CapturedStrap] = []
  private var peerOfAddress: [String: Int] = [:]

  private enum Event {
    static let disconnected: UInt8 = 0x05
    static let lowEnergy: UInt8 = 0x3E
    /// LE Connection Complete, Enhanced Connection Complete and its version 2, which have the same first fields.
    static let connected: Set<UInt8> = [0x01, 0x0A, 0x29]
  }

  init(_ mode: SessionEvents.Mode) { self.mode = mode }

  /// - Throws: ``TooManyBeats`` for more notifications of a strap than a session has beats.
  mutating func handle(_ packet: HCIPacket, at time: WallTime) throws(TooManyBeats) {
    switch packet.kind {
    case .event: event(packet.bytes, packet.adapter, time)
    case .data(let isReceived): try data(packet.bytes, packet.adapter, isReceived: isReceived, time)
    }
  }

  /// One session per peer that sent heart rates, in the order of the first packets.
  func sessions() -> [FileSession] { peers.compactMap(\.session) }

  private mutating func event(_ bytes: [UInt8], _ adapter: UInt16, _ time: WallTime) {
    guard bytes.count >= 6 else { return }
    if bytes[0] == Event.disconnected, bytes[2] == 0 {
      let key = LinkKey(adapter: adapter, handle: bytes.littleEndian16(at: 3) & 0x0FFF)
      guard let link = links.removeValue(forKey: key) else { return }
      peers[link.peer].lost(at: time, reason: bytes[5])
    } else if bytes[0] == Event.lowEnergy, Event.connected.contains(bytes[2]), bytes.count >= 14,
      bytes[3] == 0
    {
      let key = LinkKey(adapter: adapter, handle: bytes.littleEndian16(at: 4) & 0x0FFF)
      let address = bytes[8..<14].reversed().map(Self.hex).joined(separator: ":")
      let peer = peerOfAddress[address] ?? add(CapturedStrap(StrapIdentity(address: address), mode))
      peerOfAddress[address] = peer
      links[key] = Link(peer: peer)
      peers[peer].connected(at: time)
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  private mutating func add(_ peer: CapturedStrap) -> Int {
    peers.append(peer)
    return peers.count - 1
  }

  private mutating func data(_ bytes: [UInt8], _ adapter: UInt16, isReceived: Bool, _ time: WallTime)
    throws(TooManyBeats)
  {
    guard bytes.count >= 4 else { return }
    let word = bytes.littleEndian16(at: 0)
    let key = LinkKey(adapter: adapter, handle: word & 0x0FFF)
    // The address of a link from before the capture is unknown.
    var link = links[key] ?? Link(peer: add(CapturedStrap(nil, mode)))
    let isContinued = word >> 12 & 3 == 1
    let piece = bytes[4...].prefix(Int(bytes.littleEndian16(at: 2)))
    let frame =
      isReceived
      ? link.received.append(piece, isContinued: isContinued)
      : link.sent.append(piece, isContinued: isContinued)
    if let frame {
      if isReceived {
        try received(frame, &link, time)
      } else {
        Self.sent(frame, &link)
      }
    }
    links[key] = link
  }

  private static func sent(_ attribute: [UInt8], _ link: inout Link) {
    // Read By Type: opcode, first and last handle, type.
    if attribute.first == ATT.readByTypeRequest {
      link.askedType = attribute.count == 7 ? attribute.littleEndian16(at: 5) : nil
    }
  }

  private mutating func received(_ attribute: [UInt8], _ link: inout Link, _ time: WallTime)
    throws(TooManyBeats)
  {
    switch attribute.first {
    case ATT.readByTypeResponse where link.askedType == ATT.characteristic:
      for entry in ATT.entries(attribute) where entry.count >= 7 {
        // Handle, properties, handle of the value, UUID.
        peers[link.peer].declare(Array(entry[5...]), at: entry.littleEndian16(at: 3))
      }
    case ATT.findInformationResponse where attribute.count > 2:
      let length = attribute[1] == 1 ? 4 : 18
      for entry in ATT.entries(attribute, length: length) {
        peers[link.peer].declare(Array(entry[2...]), at: entry.littleEndian16(at: 0))
      }
    case ATT.notification where attribute.count >= 3:
      try peers[link.peer].notified(
        Array(attribute[3...]), handle: attribute.littleEndian16(at: 1), at: time)
    case ATT.severalNotifications:
      var rest = Array(attribute.dropFirst())
      while rest.count >= 4 {
        let length = Int(rest.littleEndian16(at: 2))
        guard rest.count >= 4 + length else { return }
        try peers[link.peer].notified(
          Array(rest[4..<(4 + length)]), handle: rest.littleEndian16(at: 0), at: time)
        rest.removeFirst(4 + length)
      }
    default: break
    }
  }
}

/// Constants of the attribute protocol.
enum ATT {
  static let findInformationResponse: UInt8 = 0x05
  static let readByTypeRequest: UInt8 = 0x08
  static let readByTypeResponse: UInt8 = 0x09
  static let notification: UInt8 = 0x1B
  static let severalNotifications: UInt8 = 0x23
  /// UUID of a characteristic declaration.
  static let characteristic: UInt16 = 0x2803
  /// L2CAP channel of the attribute protocol.
  static let channel: UInt16 = 4

  /// The entries of a response, all of the same length: `length`, or the second byte of the response.
  static func entries(_ response: [UInt8], length: Int? = nil) -> [[UInt8]] {
    guard response.count > 2 else { return [] }
    let length = length ?? Int(response[1])
    guard length > 0 else { return [] }
    return stride(from: 2, through: response.count - length, by: length).map {
      Array(response[$0..<($0 + length)])
    }
  }
}

/// Reassembles attribute protocol frames from packets.
struct FrameReassembly {
  private var bytes: [UInt8] = []

  /// Appends a fragment. Returns the payload of a complete attribute protocol frame.
  mutating func append(_ piece: ArraySlice<UInt8>, isContinued: Bool) -> [UInt8]? {
    if !isContinued { bytes = [] }
    guard isContinued != bytes.isEmpty else { return nil }
    bytes += piece
    guard bytes.count >= 4, bytes.count >= 4 + Int(bytes.littleEndian16(at: 0)) else { return nil }
    defer { bytes = [] }
    guard bytes.littleEndian16(at: 2) == ATT.channel else { return nil }
    return Array(bytes[4..<(4 + Int(bytes.littleEndian16(at: 0)))])
  }
}
