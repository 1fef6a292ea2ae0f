extension HeartRateMeasurement {
  /// Why a payload is not a Heart Rate Measurement: the field that is missing bytes, and where it begins.
  public struct DecodingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field of fixed length, by the name that people know it by.
    public enum Field: String, Sendable {
      case flags = "flags"
      case heartRate = "heart rate"
      case energyExpended = "energy expended"
    }

    /// Which field the payload ends within.
    public var field: Field
    /// Offset in bytes at which the field begins.
    public var offset: Int
    /// Length of the whole payload in bytes.
    public var length: Int

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
  ///      b0 -------> second byte when set
  ///      b1 contact found, b2 contact reported
  ///      b3 -----------------------> present when set
  ///      b4 ------------------------------------> present when set
  ///
  /// Any bytes decode or throw. A value may hold any number of RR, also none with b4 set; an odd last byte,
  /// or bytes that no flag announces, are counted in ``leftoverBytes`` and otherwise ignored.
  ///
  /// - Throws: ``DecodingError`` when a fixed field is cut short. Not thrown for RR: half an interval is left
  ///   over, the whole ones are kept.
  /// - Complexity: O(1); allocates nothing (RR are read from `payload` on demand).
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

  private struct Fields {
    let payload: [UInt8]
    var offset = 0
    init(_ payload: [UInt8]) { self.payload = payload }

    mutating func byte(_ field: DecodingError.Field) throws(DecodingError) -> UInt8 {
      guard offset < payload.count else { throw ended(field) }
      defer { offset += 1 }
      return payload[offset]
    }

    mutating func word(_ field: DecodingError.Field) throws(DecodingError) -> UInt16 {
      guard offset + 1 < payload.count else { throw ended(field) }
      defer { offset += 2 }
      return UInt16(payload[offset]) | UInt16(payload[offset + 1]) << 8
    }

    private func ended(_ field: DecodingError.Field) -> DecodingError {
      DecodingError(field: field, offset: offset, length: payload.count)
    }
  }
}
