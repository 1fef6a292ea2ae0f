import HeartRate
import TestSupport
import Testing

private func bytes(_ hex: String) -> [UInt8] {
  hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

/// The acceleration samples of a frame in mg.
private func accelerations(_ frame: SensorFrame, factor: Double = 1) -> [Acceleration] {
  var samples: [Acceleration] = []
  frame.forEachAcceleration(factor: factor) { samples.append($0) }
  return samples
}

@Test func uncompressedAccelerationIsDecodedInMilliG() throws {
  // ACC, time 2,000,000,000 ns, format 1, then x -9, y -1, z 999 and x -8, y -2, z 997 (Polar BLE SDK, AccDataTest).
  let frame = try SensorFrame(
    payload: bytes("02 00 94 35 77 00 00 00 00 01 F7 FF FF FF E7 03 F8 FF FE FF E5 03"))
  #expect(frame.stream == .acceleration)
  #expect(frame.timestamp == 2_000_000_000)
  #expect(accelerations(frame) == [Acceleration(x: -9, y: -1, z: 999), Acceleration(x: -8, y: -2, z: 997)])
}

@Test func deltaFrameIsDecodedWithItsFactor() throws {
  // ACC, format 0x80: reference 1905, 27376, -29282; 10 bits x 1 sample: differences 190, -105, -85 (AccDataTest).
  let frame = try SensorFrame(
    payload: bytes("02 00 94 35 77 00 00 00 00 80 71 07 F0 6A 9E 8D 0A 01 BE 5C BE 3A"))
  let factor = 2.44e-4
  let expected = [(1905, 27376, -29282), (2095, 27271, -29367)].map { x, y, z in
    Acceleration(
      x: Double(x) * (factor * 1000), y: Double(y) * (factor * 1000), z: Double(z) * (factor * 1000))
  }
  #expect(accelerations(frame, factor: factor) == expected)
}

@Test func differencesOfZeroBitsAreLimited() throws {
  let header = bytes("02 00 94 35 77 00 00 00 00 80 71 07 F0 6A 9E 8D")
  #expect(try SensorFrame(payload: header + bytes("00 FF")).count == 256)
  #expect(throws: SensorFrame.DecodingError.tooManySamples(1 + 20 * 255)) {
    try SensorFrame(payload: header + [[UInt8]](repeating: [0, 255], count: 20).flatMap(\.self))
  }
}

@Test func severalDeltaBlocksFollowEachOther() throws {
  // The frame of 227 bytes of a Verity Sense in polar-ble-sdk issue 443, up to the end of its first block of 8 bits x
  // 10 samples, then a block of 16 bits x 1 sample.
  let frame = try SensorFrame(
    payload: bytes(
      "02 00 41 6F C4 12 45 93 0A 81 EE 02 1F FE 82 FF 08 0A 10 DA 20 D6 A3 0B D9 CB E7 D6 F6 C4 E6 F1 E1 F3 E0 "
        + "15 1A FE 28 1B F8 37 2C 25 20 13 19 11 10 01 01 00 FF FF 00 01"))
  let samples = accelerations(frame)
  #expect(frame.count == 12)
  #expect(samples[0] == Acceleration(x: 750, y: -481, z: -126))
  #expect(samples[1] == Acceleration(x: 750 + 16, y: -481 - 38, z: -126 + 32))
  #expect(samples[2] == Acceleration(x: 766 - 42, y: -519 - 93, z: -94 + 11))
  #expect(samples[11] - samples[10] == Acceleration(x: 1, y: -1, z: 256))
}

private func - (a: Acceleration, b: Acceleration) -> Acceleration {
  Acceleration(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
}

@Test func electrocardiogramIsDecodedInMicrovolts() throws {
  var samples: [Int32] = []
  let frame = try SensorFrame(payload: bytes("00 00 94 35 77 00 00 00 00 00 02 FF FF 00 01 00"))
  frame.forEachECG { samples.append($0) }
  #expect(samples == [-254, 256])
}

@Test func pulseIntervalsHaveErrorAndFlags() throws {
  // Heart rate 128, 469 ms, error 30 ms, flags: contact supported and detected; then invalid without contact.
  let frame = try SensorFrame(
    payload: bytes("03 00 94 35 77 00 00 00 00 00 80 D5 01 1E 00 06 80 D5 01 1E 00 05"))
  var intervals: [PulseInterval] = []
  frame.forEachPulseInterval { intervals.append($0) }
  #expect(intervals.map(\.milliseconds) == [469, 469])
  #expect(intervals.map(\.error) == [30, 30])
  #expect(intervals.map(\.isBlocked) == [false, true])
  #expect(intervals.map(\.hasContact) == [true, false])
}

@Test(arguments: [
  ("", SensorFrame.DecodingError.truncatedHeader(length: 0)),
  ("02 00 94 35 77 00 00 00 00", .truncatedHeader(length: 9)),
  ("01 00 94 35 77 00 00 00 00 00", .unknownStream(1)),
  ("02 00 94 35 77 00 00 00 00 03", .unknownFormat(.acceleration, 3)),
  ("02 00 94 35 77 00 00 00 00 01 F7 FF FF FF E7", .truncatedSamples(offset: 10, length: 15)),
  ("02 00 94 35 77 00 00 00 00 81 F7 FF FF FF E7", .truncatedSamples(offset: 10, length: 15)),
  ("02 00 94 35 77 00 00 00 00 81 F7 FF FF FF E7 03 08", .truncatedSamples(offset: 16, length: 17)),
  ("02 00 94 35 77 00 00 00 00 81 F7 FF FF FF E7 03 08 01 00 00", .truncatedSamples(offset: 16, length: 20)),
])
func malformedFrameIsReported(_ hex: String, _ error: SensorFrame.DecodingError) {
  #expect(throws: error) { try SensorFrame(payload: bytes(hex)) }
}

@Test func encodedSamplesAreDecodedUnchanged() throws {
  var random = SeededGenerator(seed: 3)
  let samples = (0..<36).map { _ in
    Acceleration(
      x: Double(Int.random(in: -8000...8000, using: &random)),
      y: Double(Int.random(in: -8000...8000, using: &random)),
      z: Double(Int.random(in: -8000...8000, using: &random)))
  }
  let payload = SensorFrame.encoded(acceleration: samples, timestamp: UInt64.max - 5)
  let frame = try SensorFrame(payload: payload)
  #expect(payload.count == 226)
  #expect(frame.timestamp == UInt64.max - 5)
  #expect(accelerations(frame) == samples)
}
