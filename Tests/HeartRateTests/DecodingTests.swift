import HeartRate
import TestSupport
import Testing

/// A value of 0x2A37 with the expected fields.
struct Payload: Sendable, CustomTestStringConvertible {
  var meaning: String
  var hex: String
  var rate: UInt16
  var contact = SensorContact.unsupported
  var energy: UInt16?
  var gattUnits: [UInt16] = []
  var leftover = 0
  var testDescription: String { meaning }

  static let all = [
    Payload(meaning: "60 bpm as UInt8", hex: "00 3c", rate: 60),
    Payload(meaning: "60 bpm as UInt16", hex: "01 3c00", rate: 60),
    Payload(meaning: "300 bpm as UInt16", hex: "01 2c01", rate: 300),
    Payload(meaning: "65,535 bpm, the maximum of UInt16", hex: "01 ffff", rate: 65_535),
    Payload(meaning: "0 bpm: no beat detected", hex: "00 00", rate: 0),
    Payload(meaning: "255 bpm: no beat detected", hex: "00 ff", rate: 255),
    Payload(meaning: "contact not supported, with the contact bit set", hex: "02 3c", rate: 60),
    Payload(meaning: "contact not detected", hex: "04 3c", rate: 60, contact: .notDetected),
    Payload(meaning: "contact detected", hex: "06 3c", rate: 60, contact: .detected),
    Payload(meaning: "energy 0", hex: "08 3c 0000", rate: 60, energy: 0),
    Payload(meaning: "energy 65,535 kJ, the maximum", hex: "08 3c ffff", rate: 60, energy: 65_535),
    Payload(
      meaning: "UInt16 heart rate, energy and RR", hex: "1f 2c01 3412 0004", rate: 300, contact: .detected,
      energy: 0x1234, gattUnits: [1024]),
    Payload(meaning: "RR flag without RR", hex: "10 3c", rate: 60),
    Payload(meaning: "one RR of 1 s", hex: "10 3c 0004", rate: 60, gattUnits: [1024]),
    Payload(meaning: "two RR", hex: "10 49 5e03 9603", rate: 73, gattUnits: [862, 918]),
    Payload(
      meaning: "1044 ms and 52 ms, as a Garmin strap sent them", hex: "10 38 2d04 3500", rate: 56,
      gattUnits: [1069, 53]),
    Payload(
      meaning: "nine RR with energy: 22 bytes", hex: "18 c8 0100" + String(repeating: "2c01", count: 9),
      rate: 200,
      energy: 1, gattUnits: Array(repeating: 300, count: 9)),
    Payload(
      meaning: "twenty RR", hex: "10 78" + String(repeating: "0002", count: 20), rate: 120,
      gattUnits: Array(repeating: 512, count: 20)),
    Payload(
      meaning: "250 RR: an MTU of 517", hex: "10 3c" + String(repeating: "ffff", count: 250), rate: 60,
      gattUnits: Array(repeating: 65_535, count: 250)),
    Payload(meaning: "RR of 0 and of 64 s", hex: "10 3c 0000 ffff", rate: 60, gattUnits: [0, 65_535]),
    Payload(meaning: "truncated RR", hex: "10 3c 04", rate: 60, leftover: 1),
    Payload(
      meaning: "one RR and a truncated one", hex: "10 3e b103 de", rate: 62, gattUnits: [945], leftover: 1),
    Payload(meaning: "bytes not covered by a flag", hex: "00 3c 0004 ff", rate: 60, leftover: 3),
    Payload(meaning: "energy bytes without the flag", hex: "01 3c00 0100", rate: 60, leftover: 2),
    Payload(meaning: "reserved bits 5 to 7 are ignored", hex: "f0 3c 0004", rate: 60, gattUnits: [1024]),
  ]
}

@Test("A payload is decoded to its fields", arguments: Payload.all)
func decodesFields(_ payload: Payload) throws {
  let value = try HeartRateMeasurement(payload: [UInt8](hex: payload.hex))
  #expect(value.heartRate == payload.rate)
  #expect(value.contact == payload.contact)
  #expect(value.energyExpended == payload.energy)
  #expect(value.rrIntervals.map(\.gattUnits) == payload.gattUnits)
  #expect(value.rrIntervals.totalTicks == payload.gattUnits.reduce(0) { $0 + Int64($1) * 78_125 })
  #expect(value.leftoverBytes == payload.leftover)
}

typealias DecodingError = HeartRateMeasurement.DecodingError

@Test(
  "A truncated payload throws an error with field and offset",
  arguments: [
    ("", .flags, 0),
    ("00", .heartRate, 1),
    ("10", .heartRate, 1),
    ("01", .heartRate, 1),
    ("01 3c", .heartRate, 1),
    ("08 3c", .energyExpended, 2),
    ("08 3c 01", .energyExpended, 2),
    ("19 3c00 01", .energyExpended, 3),
  ] as [(String, DecodingError.Field, Int)])
func truncatedPayload(hex: String, field: DecodingError.Field, offset: Int) throws {
  let payload = [UInt8](hex: hex)
  let error = try #require(throws: DecodingError.self) { try HeartRateMeasurement(payload: payload) }
  #expect(error.field == field && error.offset == offset && error.length == payload.count)
  #expect(
    error.description == "heart rate measurement of \(payload.count) bytes ends within the \(field.rawValue)"
      + " field at byte \(offset)")
}

@Test("Arbitrary bytes decode or throw, and decoded values encode to the same fields", arguments: 0..<8)
func arbitraryBytes(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for length in 0...600 {
    let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    do throws(DecodingError) {
      let value = try HeartRateMeasurement(payload: bytes)
      var again = try HeartRateMeasurement(payload: value.encoded())
      #expect(again.leftoverBytes == 0)
      again.leftoverBytes = value.leftoverBytes
      #expect(again == value, "\(bytes)")
    } catch {
      #expect(error.length == length && error.offset <= length && length < 5)
    }
  }
}

@Test("The plausible heart rate is nil for 0 and 255") func plausibleHeartRate() {
  let rates: [UInt16?] = [nil, 0, 1, 60, 254, 255, 256, 300]
  let plausible = rates.map { HeartRateMeasurement(heartRate: $0).plausibleHeartRate }
  #expect(plausible == [nil, nil, 1, 60, 254, nil, 256, 300])
}
