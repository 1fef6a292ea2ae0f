extension HeartRateMeasurement {
  /// Reports a truncated Heart Rate Measurement: the incomplete field and its offset.
  public struct DecodingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field of fixed length, with its display name.
    public enum Field: String, Sendable {
      case flags = "flags"
      case heartRate = "heart rate"
      case energyExpended = "energy expended"
    }

    /// The field that is incomplete.
    public var field: Field
    /// Offset of the field in bytes.
    public var offset: Int
    /// Length of the payload in bytes.
    public var length: Int

    @usableFromInline
    init(field: Field, offset: Int, length: Int) {
      (self.field, self.offset, self.length) = (field, offset, length)
    }

    public var description: String {
      "heart rate measurement of \(length) bytes ends within the \(field.rawValue) field at byte \(offset)"
    }
  }

  /// Decodes a value of the characteristic.
  ///
  ///     flags   heart rate      energy (kJ)   RR (1/1024 s), oldest first
  ///     +----+  +----+ +----+   +----+----+   +----+----+ +----+----+
  ///     | 8  |  | 8  |·| 8  |   | 16 LE   |   | 16 LE   | | 16 LE   | ...
  ///     +----+  +----+ +----+   +----+----+   +----+----+ +----+----+
  ///      b0 -------> second byte if set
  ///      b1 contact detected, b2 contact supported
  ///      b3 -----------------------> present if set
  ///      b4 ------------------------------------> present if set
  ///
  /// Arbitrary bytes either decode or throw. A value contains any number of RR intervals, also none with b4
  /// set. An odd last byte and bytes not covered by a flag are counted in ``leftoverBytes`` and otherwise
  /// ignored.
  ///
  /// - Throws: ``DecodingError`` if a field of fixed length is truncated. A truncated RR interval does not
  ///   throw: it counts as leftover bytes, and the complete intervals are kept.
  /// - Complexity: O(1); no allocation (several RR intervals are read from `payload` on demand).
  // Inlined, because the caller would read a returned value in wider parts than it was written, which causes a
  // store-forwarding stall.
  @inlinable @inline(__always)
  public init(payload: [UInt8]) throws(DecodingError) {
    var fields = Fields(payload)
    let flags = try fields.byte(.flags)
    heartRate =
      flags & HeartRateFlags.heartRateIsUInt16 == 0
      ? UInt16(try fields.byte(.heartRate)) : try fields.word(.heartRate)
    contact =
      flags & HeartRateFlags.contactSupported == 0
      ? .unsupported : flags & HeartRateFlags.contactDetected == 0 ? .notDetected : .detected
    energyExpended = flags & HeartRateFlags.energyExpended == 0 ? nil : try fields.word(.energyExpended)
    let rest = payload.count - fields.offset
    let count = flags & HeartRateFlags.rrIntervals == 0 ? 0 : rest / 2
    rrIntervals = RRIntervals(payload: payload, start: fields.offset, count: count)
    leftoverBytes = rest - 2 * count
  }

  @usableFromInline
  struct Fields {
    @usableFromInline let payload: [UInt8]
    @usableFromInline var offset = 0

    @inlinable @inline(__always)
    init(_ payload: [UInt8]) { self.payload = payload }

    @inlinable @inline(__always)
    mutating func byte(_ field: DecodingError.Field) throws(DecodingError) -> UInt8 {
      guard offset < payload.count else { throw ended(field) }
      defer { offset += 1 }
      return payload[offset]
    }

    @inlinable @inline(__always)
    mutating func word(_ field: DecodingError.Field) throws(DecodingError) -> UInt16 {
      guard offset + 1 < payload.count else { throw ended(field) }
      defer { offset += 2 }
      return UInt16(payload[offset]) | UInt16(payload[offset + 1]) << 8
    }

    @usableFromInline
    func ended(_ field: DecodingError.Field) -> DecodingError {
      DecodingError(field: field, offset: offset, length: payload.count)
    }
  }
}

extension HeartRateMeasurement {
  /// Encodes the measurement as a value of the characteristic.
  ///
  /// The heart rate is encoded as UInt8 up to 255 bpm (as UInt16 above, or if `wideHeartRate` is true); a
  /// missing heart rate is encoded as 0 ("no beat detected"). RR intervals are rounded to 1/1024 s and
  /// saturate at 65,535 (64 s). Decoding a payload and encoding the result yields the same fields.
  public func encoded(wideHeartRate: Bool = false) -> [UInt8] {
    let rate = heartRate ?? 0
    let wide = wideHeartRate || rate > 255
    var bytes = [flags(wide: wide), UInt8(truncatingIfNeeded: rate)]
    if wide { bytes.append(UInt8(rate >> 8)) }
    if let energyExpended { bytes.append(littleEndian: energyExpended) }
    for interval in rrIntervals { bytes.append(littleEndian: interval.gattUnits) }
    return bytes
  }

  private func flags(wide: Bool) -> UInt8 {
    var flags: UInt8 = wide ? HeartRateFlags.heartRateIsUInt16 : 0
    if contact != .unsupported { flags |= HeartRateFlags.contactSupported }
    if contact == .detected { flags |= HeartRateFlags.contactDetected }
    if energyExpended != nil { flags |= HeartRateFlags.energyExpended }
    if !rrIntervals.isEmpty { flags |= HeartRateFlags.rrIntervals }
    return flags
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian word: UInt16) {
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(word >> 8))
  }
}
