import HeartRate

/// A simulated strap: its advertisements, its properties, and its behaviour.
package struct FakeStrap: Sendable {
  package var address: String
  /// "public" or "random".
  package var addressType = "random"
  package var name: String?
  /// The advertised services; a strap may omit 0x180D.
  package var advertisedServices = [GATT.heartRateService]
  package var isAdvertising = true
  /// Whether its advertisements have the discoverable flag; without it, only a filtered discovery reports it.
  package var isDiscoverable = true
  /// Whether bluetoothd knows it from an earlier session, so that its object exists without a scan.
  package var isKnown = false
  package var isPaired = false
  /// dBm.
  package var rssi: Int16 = -58
  /// Percent; nil for a strap without a battery service.
  package var battery: UInt8? = 90
  /// The value of 0x2A38; nil for a strap without that characteristic.
  package var sensorLocation: UInt8? = 1
  package var mtu: UInt16 = 247
  package var pairing = Pairing.justWorks
  package var security = Security.open
  package var script = StrapScript()
  /// Its sensor streams (Polar PMD); nil for a strap without them.
  package var sensors: FakeSensors?

  /// The pairing method, which determines the question to the agent.
  package enum Pairing: Sendable, Equatable {
    /// RequestAuthorization.
    case justWorks
    /// The strap shows the passkey, and the user types it: RequestPasskey.
    case passkeyEntry(UInt32)
    /// The user reads the passkey and presses a button of the strap: DisplayPasskey.
    case passkeyDisplay(UInt32)
    /// RequestConfirmation.
    case confirmation(UInt32)
    case rejected
  }

  /// What the strap requires before it accepts a subscription.
  package enum Security: Sendable, Equatable {
    case open
    /// bluetoothd pairs automatically when a client subscribes.
    case pairsOnDemand
    /// Fails with "Not paired" until the strap is paired.
    case pairedOnly
  }

  package init(address: String, name: String?) {
    self.address = address
    self.name = name
  }
}

/// Assigned numbers (Bluetooth SIG) in BlueZ's full notation.
package enum GATT {
  package static func uuid(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
  package static let heartRateService = uuid("180d")
  package static let batteryService = uuid("180f")
  package static let heartRateMeasurement = uuid("2a37")
  package static let bodySensorLocation = uuid("2a38")
  package static let batteryLevel = uuid("2a19")
  package static let configuration = uuid("2902")
}

/// The values of 0x2A37 for a list of RR intervals.
package enum Payloads {
  /// One notification per RR (in ms), with the heart rate of that RR.
  package static func onePerBeat(_ milliseconds: [Double]) -> [[UInt8]] {
    milliseconds.map { rr in
      let units = UInt16(clamping: Int((rr * 1024 / 1000).rounded()))
      let rate = rr > 0 ? UInt16(clamping: Int((60_000 / rr).rounded())) : 0
      return HeartRateMeasurement(heartRate: rate, rrIntervals: RRIntervals(gattUnits: [units])).encoded()
    }
  }

  /// Malformed and unusual values, each with a description.
  package static let hostile: [(name: String, bytes: [UInt8])] = [
    ("empty", []),
    ("flags only", [0x10]),
    ("uint16 heart rate cut short", [0x01, 0x48]),
    ("odd trailing byte", [0x10, 0x48, 0x43, 0x03, 0x8a]),
    ("energy expended", [0x18, 0x48, 0x34, 0x12, 0x43, 0x03]),
    ("energy expended cut short", [0x08, 0x48, 0x34]),
    ("uint16 heart rate", [0x11, 0x48, 0x00, 0x43, 0x03]),
    ("RR flag without RR", [0x10, 0x48]),
    ("reserved bits", [0xe0, 0x48]),
    ("heart rate 0", [0x00, 0x00]),
    ("heart rate 255", [0x00, 0xff]),
    ("an extra RR of 52 ms", [0x10, 0x38, 0x2d, 0x04, 0x35, 0x00]),
    ("20 RR", [0x10, 0x48] + (0..<20).flatMap { _ in [0x43, 0x03] as [UInt8] }),
    ("huge", [0x10, 0x48] + [UInt8](repeating: 0x03, count: 4096)),
  ]
}
