import HeartRate

/// A strap on the air: what it advertises, what it holds, and how it behaves.
public struct FakeStrap: Sendable {
  public var address: String
  /// "public" or "random".
  public var addressType = "random"
  public var name: String?
  /// What it advertises; a band may leave 0x180D out.
  public var advertisedServices = [GATT.heartRateService]
  public var isAdvertising = true
  /// Its advertisements carry the discoverable flag; without it only a filtered discovery shows it.
  public var isDiscoverable = true
  /// bluetoothd knows it from an earlier session: it is there without a scan.
  public var isKnown = false
  public var isPaired = false
  /// dBm.
  public var rssi: Int16 = -58
  /// Percent; nil for a strap without a battery service.
  public var battery: UInt8? = 90
  /// The value of 0x2A38; nil for a strap without that characteristic.
  public var sensorLocation: UInt8? = 1
  public var mtu: UInt16 = 247
  public var pairing = Pairing.justWorks
  public var security = Security.open
  public var script = StrapScript()

  /// How the strap pairs, and so what the agent is asked.
  public enum Pairing: Sendable, Equatable {
    /// RequestAuthorization.
    case justWorks
    /// The strap shows the passkey, the person types it: RequestPasskey.
    case passkeyEntry(UInt32)
    /// The person reads it and presses a button there: DisplayPasskey.
    case passkeyDisplay(UInt32)
    /// RequestConfirmation.
    case confirmation(UInt32)
    case rejected
  }

  /// What the strap asks for before it lets anybody subscribe.
  public enum Security: Sendable, Equatable {
    case open
    /// bluetoothd pairs by itself when it is asked to subscribe.
    case pairsOnDemand
    /// "Not paired" until paired.
    case pairedOnly
  }

  public init(address: String, name: String?) {
    self.address = address
    self.name = name
  }
}

/// Assigned numbers (Bluetooth SIG), in full as BlueZ shows them.
public enum GATT {
  public static func uuid(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
  public static let heartRateService = uuid("180d")
  public static let batteryService = uuid("180f")
  public static let heartRateMeasurement = uuid("2a37")
  public static let bodySensorLocation = uuid("2a38")
  public static let batteryLevel = uuid("2a19")
  public static let configuration = uuid("2902")
}

/// The values of 0x2A37 that a strap would send for a list of RR.
public enum Payloads {
  /// One notification per RR (in ms), with the heart rate of that RR.
  public static func onePerBeat(_ milliseconds: [Double]) -> [[UInt8]] {
    milliseconds.map { rr in
      let units = UInt16(clamping: Int((rr * 1024 / 1000).rounded()))
      let rate = rr > 0 ? UInt16(clamping: Int((60_000 / rr).rounded())) : 0
      return HeartRateMeasurement(heartRate: rate, rrIntervals: RRIntervals(gattUnits: [units])).encoded()
    }
  }

  /// Values that a strap should not send, or seldom does, each with what it is.
  public static let hostile: [(name: String, bytes: [UInt8])] = [
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
