import HeartRate
import TestSupport
import Testing

@testable import Strap

private func bytes(_ hex: String) -> [UInt8] {
  hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

// The bytes are those of Polar's online_measurement.pdf and of polar-ble-sdk issues 331 and 360.

@Test func requestsHaveTheDocumentedBytes() {
  #expect(SensorRequest.settings(.ecg).encoded == bytes("01 00"))
  #expect(SensorRequest.stop(.acceleration).encoded == bytes("03 02"))
  #expect(SensorRequest.start(.ppi, SensorSettings()).encoded == bytes("02 03"))
  let ecg = SensorSettings(rate: 130, resolution: 14)
  #expect(SensorRequest.start(.ecg, ecg).encoded == bytes("02 00 00 01 82 00 01 01 0E 00"))
  let h10 = SensorSettings(rate: 50, resolution: 16, range: 2)
  #expect(
    SensorRequest.start(.acceleration, h10).encoded == bytes("02 02 00 01 32 00 01 01 10 00 02 01 02 00"))
  // A Verity Sense requires the number of channels, in one byte.
  let verity = SensorSettings(rate: 52, resolution: 16, range: 8, channels: 3)
  #expect(
    SensorRequest.start(.acceleration, verity).encoded
      == bytes("02 02 00 01 34 00 01 01 10 00 02 01 08 00 04 01 03"))
}

@Test func featuresOfAnH10AreECGAndAcceleration() throws {
  let features = try SensorFeatures(payload: bytes("0F 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"))
  #expect(SensorStream.allCases.filter(features.contains) == [.ecg, .acceleration])
  #expect(throws: SensorControlError.malformed) { try SensorFeatures(payload: [0x0F]) }
  #expect(throws: SensorControlError.malformed) { try SensorFeatures(payload: bytes("F0 05")) }
}

@Test func responseStatesOperationTypeAndError() throws {
  let started = try SensorResponse(payload: bytes("F0 02 02 00 00"))
  #expect(started.answers(.start(.acceleration, SensorSettings())) && started.error == nil)
  #expect(!started.answers(.stop(.acceleration)) && !started.answers(.start(.ecg, SensorSettings())))
  #expect(try SensorResponse(payload: bytes("F0 02 00 0A")).error == .invalidMTU)
  #expect(try SensorResponse(payload: bytes("F0 02 00 63")).error == .unknown)
  #expect(throws: SensorControlError.malformed) { try SensorResponse(payload: bytes("F0 02 00")) }
}

@Test func offeredSettingsAreSelectedForAcceleration() throws {
  let h10 = try OfferedSettings(
    parameters: bytes("00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00"))
  #expect(h10.selected(for: .acceleration) == SensorSettings(rate: 25, resolution: 16, range: 8))
  // A Verity Sense: 52 Hz, 16 bit, 8 g, 3 channels, and a factor of 2.44e-4.
  let verity = try OfferedSettings(
    parameters: bytes("00 01 34 00 01 01 10 00 02 01 08 00 04 01 03 05 01 0E DC 7F 39"))
  let selected = verity.selected(for: .acceleration)
  #expect(selected.rate == 52 && selected.range == 8 && selected.channels == 3)
  #expect(abs(selected.factor - 2.44e-4) < 1e-6)
  #expect(throws: SensorControlError.malformed) { try OfferedSettings(parameters: bytes("00 02 19 00")) }
  #expect(throws: SensorControlError.malformed) { try OfferedSettings(parameters: bytes("09 01 19")) }
}
