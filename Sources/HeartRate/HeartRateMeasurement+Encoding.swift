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
