/// An acceleration in mg, including gravity.
public struct Acceleration: Equatable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

extension SensorFrame {
  /// Passes the samples of an acceleration frame to `body`, oldest first; none for other streams.
  /// - Parameter factor: ``SensorSettings/factor`` of the stream.
  /// - Complexity: O(1) per sample; no allocation.
  public func forEachAcceleration(factor: Double, _ body: (Acceleration) throws -> Void) rethrows {
    guard stream == .acceleration else { return }
    switch format {
    case .plain(let bytes, _): try forEachPlain(bytes, body)
    case .delta(let scale): try forEachDelta(factor * scale, body)
    }
  }

  /// Uncompressed values are in mg, independent of the factor.
  private func forEachPlain(_ bytes: Int, _ body: (Acceleration) throws -> Void) rethrows {
    for index in 0..<count {
      let offset = Self.headerLength + 3 * bytes * index
      try body(
        Acceleration(
          x: Double(payload.signed(at: offset, length: bytes)),
          y: Double(payload.signed(at: offset + bytes, length: bytes)),
          z: Double(payload.signed(at: offset + 2 * bytes, length: bytes))))
    }
  }

  private func forEachDelta(_ unit: Double, _ body: (Acceleration) throws -> Void) rethrows {
    var x = payload.signed(at: Self.headerLength, length: 2)
    var y = payload.signed(at: Self.headerLength + 2, length: 2)
    var z = payload.signed(at: Self.headerLength + 4, length: 2)
    try body(Acceleration(x: Double(x) * unit, y: Double(y) * unit, z: Double(z) * unit))
    guard var blocks = try? DeltaBlocks(payload) else { return }
    while let block = (try? blocks.next()) ?? nil {
      for index in 0..<block.count {
        let position = 8 * block.start + 3 * block.bits * index
        x &+= payload.signedBits(at: position, count: block.bits)
        y &+= payload.signedBits(at: position + block.bits, count: block.bits)
        z &+= payload.signedBits(at: position + 2 * block.bits, count: block.bits)
        try body(Acceleration(x: Double(x) * unit, y: Double(y) * unit, z: Double(z) * unit))
      }
    }
  }

  /// Passes the samples of an ECG frame to `body`, oldest first, in µV; none for other streams.
  public func forEachECG(_ body: (Int32) -> Void) {
    guard stream == .ecg else { return }
    for index in 0..<count { body(payload.signed(at: Self.headerLength + 3 * index, length: 3)) }
  }

  /// Passes the intervals of a PPI frame to `body`, oldest first; none for other streams.
  public func forEachPulseInterval(_ body: (PulseInterval) -> Void) {
    guard stream == .ppi else { return }
    for index in 0..<count { body(pulseInterval(at: index)) }
  }

  /// The interval with the number `index`, from 0, of a PPI frame.
  public func pulseInterval(at index: Int) -> PulseInterval { PulseInterval(payload: payload, index: index) }
}

extension SensorFrame {
  /// Encodes uncompressed samples of acceleration in mg, as an H10 does.
  public static func encoded(acceleration samples: [Acceleration], timestamp: UInt64) -> [UInt8] {
    var payload = header(.acceleration, timestamp: timestamp, format: 1)
    for sample in samples {
      for value in [sample.x, sample.y, sample.z] {
        let word = UInt16(bitPattern: Int16(clamping: Int(value.rounded())))
        payload += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
      }
    }
    return payload
  }

  /// Encodes samples of an ECG in µV.
  public static func encoded(ecg samples: [Int32], timestamp: UInt64) -> [UInt8] {
    var payload = header(.ecg, timestamp: timestamp, format: 0)
    for sample in samples {
      let word = UInt32(bitPattern: sample)
      payload += [0, 8, 16].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return payload
  }

  /// Encodes pulse-to-pulse intervals.
  public static func encoded(pulses: [PulseInterval], timestamp: UInt64) -> [UInt8] {
    header(.ppi, timestamp: timestamp, format: 0) + pulses.flatMap(\.encoded)
  }

  private static func header(_ stream: SensorStream, timestamp: UInt64, format: UInt8) -> [UInt8] {
    [stream.rawValue] + (0..<8).map { UInt8(truncatingIfNeeded: timestamp >> (8 * UInt64($0))) } + [format]
  }
}
