/// The topics of a device. None contains a wildcard, because each is derived from the escaped identity.
extension OutletIdentity {
  static let discoveryPrefix = "homeassistant"
  /// Home Assistant publishes `online` here when it has started.
  static let homeAssistantStatus = discoveryPrefix + "/status"

  var config: String { "\(Self.discoveryPrefix)/device/stressmon_\(id)/config" }
  var state: String { "stressmon/\(id)/state" }
  /// `online` while the program is connected to the broker; `offline` is the Last Will.
  var status: String { "stressmon/\(id)/status" }
  /// `online` while the values of the strap are live.
  var link: String { "stressmon/\(id)/link" }
}
