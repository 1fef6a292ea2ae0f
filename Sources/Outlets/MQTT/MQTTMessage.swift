package struct MQTTMessage: Equatable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  package var qos: CInt
  package var isRetained: Bool

  /// A value: at most once, never retained, because a broker would keep health data.
  static func value(_ topic: String, _ payload: [UInt8]) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: payload, qos: 0, isRetained: false)
  }

  /// Discovery and availability: at least once, retained.
  static func retained(_ topic: String, _ payload: [UInt8]) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: payload, qos: 1, isRetained: true)
  }
}
