import Foundation
import HeartRate
import Testing

private let testData = ProcessInfo.processInfo.environment["STRESSMON_TEST_DATA"]

/// Published notifications of real straps with their documented fields, read from the directory in
/// STRESSMON_TEST_DATA.
@Suite(.enabled(if: testData != nil, "STRESSMON_TEST_DATA names no folder"))
struct PublishedPayloadTests {
  struct Published: Decodable {
    var hex: String
    var flags: UInt8
    var heartRate: UInt16
    var contact: String
    var energy: UInt16?
    var rr: [UInt16]
    var leftover: Int
    var source: String

    enum CodingKeys: String, CodingKey {
      case hex, flags, contact, source
      case heartRate = "hr_bpm"
      case energy = "energy_kj"
      case rr = "rr_1024"
      case leftover = "leftover_bytes"
    }

    var payload: [UInt8] {
      stride(from: 0, to: hex.count - 1, by: 2).compactMap {
        UInt8(hex.dropFirst($0).prefix(2), radix: 16)
      }
    }
  }

  private let contacts: [String: SensorContact] = [
    "detected": .detected, "not_detected": .notDetected, "not_supported": .unsupported,
  ]

  private func published() throws -> [Published] {
    let path = try #require(testData) + "/ble/hrm_2a37_payloads.jsonl"
    let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Published.self, from: Data($0.utf8))
    }
  }

  @Test("Each published payload is decoded to its documented fields") func decoding() throws {
    let all = try published()
    #expect(all.count == 20)
    for one in all {
      let measurement = try HeartRateMeasurement(payload: one.payload)
      #expect(one.payload.first == one.flags)
      #expect(measurement.heartRate == one.heartRate, "\(one.source)")
      #expect(measurement.contact == contacts[one.contact], "\(one.source)")
      #expect(measurement.energyExpended == one.energy)
      #expect(measurement.rrIntervals.map(\.gattUnits) == one.rr, "\(one.source)")
      #expect(measurement.leftoverBytes == one.leftover, "\(one.source)")
    }
  }

  @Test("Complete published payloads are encoded to the same bytes") func encoding() throws {
    for one in try published() where one.leftover == 0 && one.flags & 1 == 0 {
      let again = try HeartRateMeasurement(payload: one.payload).encoded()
      // A strap may set the RR flag without sending RR; the encoder does not reproduce this.
      #expect(again.dropFirst() == one.payload.dropFirst(), "\(one.source)")
    }
  }
}
