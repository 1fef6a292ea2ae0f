import HeartRate
import TestSupport
import Testing

@Test("All fields are encoded in order") func allFields() {
  let value = HeartRateMeasurement(
    heartRate: 300, contact: .detected, energyExpended: 0x1234,
    rrIntervals: RRIntervals(gattUnits: [1069, 53]))
  #expect(value.encoded() == [UInt8](hex: "1f 2c01 3412 2d04 3500"))
}

@Test(
  "The heart rate is encoded as UInt16 above 255 bpm or on request",
  arguments: [
    (60, false, "00 3c"), (255, false, "00 ff"), (256, false, "01 0001"), (60, true, "01 3c00"),
    (nil, false, "00 00"),
  ] as [(UInt16?, Bool, String)])
func widthOfTheHeartRate(rate: UInt16?, wide: Bool, hex: String) {
  #expect(HeartRateMeasurement(heartRate: rate).encoded(wideHeartRate: wide) == [UInt8](hex: hex))
}

@Test(
  "Contact is encoded in bits 1 and 2", arguments: zip(SensorContact.allCases, ["00 3c", "04 3c", "06 3c"]))
func contactBits(contact: SensorContact, hex: String) {
  #expect(HeartRateMeasurement(heartRate: 60, contact: contact).encoded() == [UInt8](hex: hex))
}

@Test(
  "An interval is rounded to 1/1024 s and saturates at 64 s",
  arguments: [
    (812.5, "10 3c 4003"), (0.0, "10 3c 0000"), (0.4, "10 3c 0000"), (0.5, "10 3c 0100"),
    (63_999.0, "10 3c ffff"), (70_000.0, "10 3c ffff"),
  ])
func intervalsRound(milliseconds: Double, hex: String) throws {
  let rr = try #require(RRInterval(milliseconds: milliseconds))
  let value = HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals(rr))
  #expect(value.encoded() == [UInt8](hex: hex))
}

@Test("Interval collections with different storage compare by value") func intervalEquality() throws {
  let second = RRInterval(gattUnits: 1024)
  #expect(RRIntervals(second) == RRIntervals(gattUnits: [1024]))
  #expect(RRIntervals(second) != RRIntervals(gattUnits: [1024, 1024]))
  #expect(RRIntervals.none.isEmpty)
  #expect(Array(RRIntervals(gattUnits: [1, 2, 3]).reversed()).map(\.gattUnits) == [3, 2, 1])
}

@Test(
  "Battery level and sensor location are decoded, or nil for reserved values",
  arguments: [
    ("", nil, nil), ("00", 0, .other), ("01", 1, .chest), ("06", 6, .foot), ("07", 7, nil), ("64", 100, nil),
    ("65", nil, nil), ("ff", nil, nil), ("01ff", 1, .chest),
  ] as [(String, UInt8?, BodySensorLocation?)])
func batteryAndLocation(hex: String, percent: UInt8?, location: BodySensorLocation?) {
  #expect(BatteryLevel(payload: [UInt8](hex: hex))?.percent == percent)
  #expect(BodySensorLocation(payload: [UInt8](hex: hex)) == location)
}

@Test("A device address is converted to upper case") func upperCaseAddress() {
  let strap = StrapIdentity(address: "c0:00:00:00:00:0a", name: "H10")
  #expect(strap == StrapIdentity(address: "C0:00:00:00:00:0A", name: "H10"))
  #expect("\(strap)" == "H10 (C0:00:00:00:00:0A)")
  #expect("\(StrapIdentity(address: "c0:00:00:00:00:0a"))" == "C0:00:00:00:00:0A")
}
