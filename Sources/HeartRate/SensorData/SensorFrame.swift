/// A frame of Polar's measurement data service (PMD): samples of one stream with the strap's time.
///
/// Frames of acceleration (uncompressed and delta-compressed), ECG and PPI are decoded. Samples are read from
/// the payload on demand.
public struct SensorFrame: Equatable, Sendable {
  /// Reports a frame that cannot be decoded.
  public enum DecodingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The header of 10 bytes is truncated.
    case truncatedHeader(length: Int)
    /// A measurement that is not decoded, such as PPG.
    case unknownStream(UInt8)
    /// A format of the stream that is not decoded.
    case unknownFormat(SensorStream, UInt8)
    /// The samples, or a delta block, do not fill the frame.
    case truncatedSamples(offset: Int, length: Int)
    /// More than ``largestCount`` samples.
    case tooManySamples(Int)

    public var description: String {
      switch self {
      case .truncatedHeader(let length): "sensor frame of \(length) bytes ends within its header"
      case .unknownStream(let type): "sensor frame of unknown type \(type)"
      case .unknownFormat(let stream, let format): "\(stream.name) frame of unknown format \(format)"
      case .truncatedSamples(let offset, let length):
        "sensor frame of \(length) bytes ends within the samples at byte \(offset)"
      case .tooManySamples(let count): "sensor frame of \(count) samples"
      }
    }
  }

  enum Format: Equatable, Sendable {
    /// `bytes` per value, `channels` values per sample, signed little-endian.
    case plain(bytes: Int, channels: Int)
    /// A reference sample of 16-bit values, then blocks of differences. `scale` is multiplied by the factor of
    /// the stream: 1000 for values in g.
    case delta(scale: Double)
  }

  public let stream: SensorStream
  /// Time of the last sample: nanoseconds of the strap's clock since 2000-01-01.
  public let timestamp: UInt64
  /// Number of samples.
  public let count: Int
  let format: Format
  let payload: [UInt8]

  static let headerLength = 10
  /// Frames of straps have at most some hundred samples. Differences of zero bits would allow 255 samples in two bytes.
  static let largestCount = 4096

  /// Decodes a value of the data characteristic.
  ///
  ///     type  time of the last sample (ns)   format   samples
  ///     +----+ +----+-...-+----+ +----+   +----+ ...
  ///     | 8  | |      64 LE    | | 8  |   |
  ///     +----+ +----+-...-+----+ +----+   +----+ ...
  ///      b0-5 measurement type            b7 of the format: delta-compressed
  ///
  /// Source: Polar, online_measurement.pdf, version 1.0, August 2024.
  /// - Throws: ``DecodingError``. Arbitrary bytes either decode or throw.
  /// - Complexity: O(number of delta blocks); no allocation.
  public init(payload: [UInt8]) throws(DecodingError) {
    guard payload.count >= Self.headerLength else {
      throw .truncatedHeader(length: payload.count)
    }
    guard let stream = SensorStream(rawValue: payload[0] & 0x3F) else {
      throw .unknownStream(payload[0] & 0x3F)
    }
    guard let format = Format(stream, payload[9]) else { throw .unknownFormat(stream, payload[9]) }
    self.stream = stream
    self.format = format
    self.payload = payload
    timestamp = Self.timestamp(of: payload)
    count = try Self.count(payload, format)
    guard count <= Self.largestCount else { throw .tooManySamples(count) }
  }

  /// The stream of a frame. Requires a complete header and a known stream.
  public static func stream(of payload: [UInt8]) -> SensorStream? {
    payload.count < headerLength ? nil : SensorStream(rawValue: payload[0] & 0x3F)
  }

  private static func timestamp(of payload: [UInt8]) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(payload[1 + index]) << UInt64(8 * index) }
    return value
  }

  private static func count(_ payload: [UInt8], _ format: Format) throws(DecodingError) -> Int {
    switch format {
    case .plain(let bytes, let channels):
      let length = bytes * channels
      let rest = payload.count - headerLength
      guard rest.isMultiple(of: length) else {
        throw .truncatedSamples(offset: payload.count - rest % length, length: payload.count)
      }
      return rest / length
    case .delta:
      var blocks = try DeltaBlocks(payload)
      var count = 1
      while let block = try blocks.next() { count += block.count }
      return count
    }
  }
}

extension SensorFrame.Format {
  fileprivate init?(_ stream: SensorStream, _ byte: UInt8) {
    switch (stream, byte) {
    case (.ecg, 0): self = .plain(bytes: 3, channels: 1)
    case (.acceleration, 0): self = .plain(bytes: 1, channels: 3)
    case (.acceleration, 1): self = .plain(bytes: 2, channels: 3)
    case (.acceleration, 2): self = .plain(bytes: 3, channels: 3)
    case (.acceleration, 0x80): self = .delta(scale: 1000)
    case (.acceleration, 0x81): self = .delta(scale: 1)
    case (.ppi, 0): self = .plain(bytes: 6, channels: 1)
    default: return nil
    }
  }
}
