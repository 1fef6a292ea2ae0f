import CMosquitto
import Glibc
import Localization
import Platform

/// Publishes to an MQTT broker. Each connection is a new client. Messages of an earlier one are not sent again.
package final class MQTTTransport: OutletTransport {
  /// Limit of the messages whose delivery is not known, which bounds the memory if a broker does not read.
  private static let pendingLimit = 64
  /// In s. The broker publishes the will after one and a half times this.
  private static let keepAlive: CInt = 15

  private let options: MQTTOptions
  private let device: MQTTDevice
  /// Whether the messages remove the device. Then there is no will, and nothing is received.
  private let isRemoval: Bool
  /// Identifies this process among the programs that publish the device.
  private let instance = UInt64.random(in: .min ... .max)
  private var client: MosquittoClient?
  package private(set) var pendingCount = 0
  /// Whether the broker accepted the connection.
  private var isConnected = false

  package init(options: MQTTOptions, device: MQTTDevice, isRemoval: Bool = false) {
    (self.options, self.device, self.isRemoval) = (options, device, isRemoval)
  }

  package func open() throws(OutletError) -> Bool {
    close()
    let client = try MosquittoClient(
      id: "stressmon_\(device.identity.id)_\(getpid())\(isRemoval ? "_remove" : "")")
    if let path = options.credentials { try client.setCredentials(Self.credentials(path)) }
    if options.usesTLS {
      try TLSFailure.checkFiles(of: options)
      try client.setTLS(options)
    }
    if !isRemoval { try client.setWill(.retained(device.status, MQTTEncoder.offline)) }
    do throws(OutletError) {
      try client.connect(host: options.host, port: options.port, keepAlive: Self.keepAlive)
    } catch {
      throw connectionFailure(client, error)
    }
    self.client = client
    return false
  }

  private static func credentials(_ path: String) throws(OutletError) -> CredentialsFile {
    do throws(CredentialsFile.Invalid) {
      return try CredentialsFile(path: path)
    } catch {
      throw OutletError(error.message)
    }
  }

  package func send(_ message: MQTTMessage) throws(OutletError) -> Delivery {
    guard let client else { throw OutletError(Phrase("the MQTT broker \(options.host) is not connected")) }
    guard pendingCount < Self.pendingLimit else {
      return .dropped(OutletError(Phrase("the MQTT broker \(options.host) accepts no messages")))
    }
    try client.publish(message)
    pendingCount += 1
    return .pending
  }

  package func service() throws(OutletError) -> [TransportEvent] {
    guard let client else { return [] }
    do throws(OutletError) {
      try client.service()
    } catch {
      // libmosquitto closes a refused connection, which is an error as well. The reason of the broker takes precedence.
      if let result = client.takeConnectResult(), result != 0 { throw refusal(result) }
      throw isConnected ? error : connectionFailure(client, error, isHandshakeComplete: true)
    }
    var events: [TransportEvent] = []
    if client.takeConnectResult() == 0 {
      if !isRemoval { try introduce(to: client) }
      isConnected = true
      events.append(.connected)
    }
    for message in client.takeReceived() { events += try self.events(of: message) }
    let delivered = client.takeDelivered()
    pendingCount -= delivered
    if delivered > 0 { events.append(.delivered(delivered)) }
    return events
  }

  /// Subscribes, and asks other programs that publish the device to answer.
  private func introduce(to client: MosquittoClient) throws(OutletError) {
    let commands = device.acceptsCommands ? [device.command] : []
    for topic in [device.homeAssistantStatus, device.publisher] + commands { try client.subscribe(topic) }
    _ = try send(.value(device.publisher, Array("\(Self.question) \(instance)".utf8)))
  }

  private static let (question, answer) = ("begins", "publishes")

  private func events(of message: (topic: String, text: String)) throws(OutletError) -> [TransportEvent] {
    switch message.topic {
    case device.homeAssistantStatus: return message.text == "online" ? [.requested] : []
    case device.command:
      guard let command = OutletCommand(rawValue: message.text) else {
        return [
          .warned(
            OutletError(
              Phrase("the command '\(message.text)' is unknown; the commands are: \(OutletCommand.words)")))
        ]
      }
      return [.commanded(command)]
    case device.publisher: return try meet(message.text)
    default: return []
    }
  }

  /// Two programs with one identity would send each value twice, and mark each other as offline.
  private func meet(_ text: String) throws(OutletError) -> [TransportEvent] {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1] != "\(instance)" else { return [] }
    if words[0] == Self.question {
      _ = try send(.value(device.publisher, Array("\(Self.answer) \(instance)".utf8)))
    }
    return [
      .warned(
        OutletError(
          Phrase(
            """
            another program publishes the device \(device.identity.id), so values arrive twice; end one of them, or add \
            another ID to the target: mqtt://HOST/ID
            """)
        ))
    ]
  }

  package var interest: TransportInterest? {
    guard let client, client.descriptor >= 0 else { return nil }
    return TransportInterest(
      descriptor: client.descriptor, isWriting: client.needsWriting, interval: 5_000_000_000)
  }

  package func flush() -> Int {
    guard let client else { return 0 }
    var delivered = client.takeDelivered()
    for _ in 0..<20 where delivered < pendingCount {
      var state = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&state, 1, 50)
      guard (try? client.service()) != nil else { break }
      delivered += client.takeDelivered()
    }
    client.disconnect()
    try? client.service()
    return delivered
  }

  package func close() { (client, pendingCount, isConnected) = (nil, 0, false) }

  /// - Parameter isHandshakeComplete: whether the TLS handshake was complete.
  private func connectionFailure(
    _ client: MosquittoClient, _ error: OutletError, isHandshakeComplete: Bool = false
  ) -> OutletError {
    let refusal = isHandshakeComplete ? TLSFailure(refusedWith: options) : nil
    if options.usesTLS,
      let failure = TLSFailure(client.takeErrors(), options, systemError: client.systemError) ?? refusal
    {
      return OutletError(
        Phrase("cannot connect to the MQTT broker \(options.host) port \(options.port): \(failure)"))
    }
    return OutletError(Phrase("\(error); start the broker, or check host, port and certificates"))
  }

  private func refusal(_ code: CInt) -> OutletError {
    let reason = unsafe String(cString: mosquitto_connack_string(code))
    return OutletError(
      Phrase(
        """
        the MQTT broker \(options.host) port \(options.port): \(reason) Check the user name and the password \
        (credentials=FILE)
        """)
    )
  }
}

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
