extension HeartRateMeasurement {
  /// The value of the characteristic that says the same, as a strap would send it.
  ///
  /// The heart rate takes two bytes only above 255 bpm (or when `wideHeartRate` asks for it); a missing one is
  /// sent as 0, "no beat found". RR are rounded to 1/1024 s and saturate at 65,535 (64 s): everything that was
  /// decoded from a payload encodes to the same fields again.
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
