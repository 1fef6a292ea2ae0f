/// One value of the Heart Rate Measurement characteristic (0x2A37), or of a source that stands in for one.
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0 (2011) and GATT Specification Supplement.
public struct HeartRateMeasurement: Equatable, Sendable {
  /// Heart rate in bpm as the sensor computed it; nil where the source has none (a text file of RR).
  /// Sensors send 0, and some 255, when they find no beat: see ``plausibleHeartRate``.
  public var heartRate: UInt16?
  /// Whether the electrodes touch the skin, as far as the sensor tells.
  public var contact: SensorContact
  /// Energy expended in kJ since its last reset; saturates at 65,535; in about one notification of ten.
  public var energyExpended: UInt16?
  /// RR intervals, oldest first. None is normal below 60 bpm, and for sensors that send no RR at all.
  public var rrIntervals: RRIntervals
  /// Bytes after the last whole field: 0 in a value that follows the specification.
  public var leftoverBytes: Int

  /// A measurement of these values, of which none is checked.
  public init(
    heartRate: UInt16?, contact: SensorContact = .unsupported, energyExpended: UInt16? = nil,
    rrIntervals: RRIntervals = .none, leftoverBytes: Int = 0
  ) {
    self.heartRate = heartRate
    self.contact = contact
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
    self.leftoverBytes = leftoverBytes
  }

  /// The heart rate in bpm, or nil when it is one of the values that mean "no beat found" (0, 255).
  public var plausibleHeartRate: UInt16? {
    heartRate.flatMap { $0 == 0 || $0 == 255 ? nil : $0 }
  }
}

/// The bits of the first byte. Bits 5 to 7 are reserved and ignored.
enum HeartRateFlags {
  static let heartRateIsUInt16: UInt8 = 1 << 0
  static let contactDetected: UInt8 = 1 << 1
  static let contactSupported: UInt8 = 1 << 2
  static let energyExpended: UInt8 = 1 << 3
  static let rrIntervals: UInt8 = 1 << 4
}
