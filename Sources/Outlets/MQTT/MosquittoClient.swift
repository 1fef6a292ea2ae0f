import CMosquitto
import Glibc
package import Localization
package import Platform

/// Limit of the payload of a message that is received, in bytes.
private let mostBytes: CInt = 1024

/// A client of libmosquitto, which is used by one thread: its callbacks are called by `read`, `write` and `publish`.
@safe final class MosquittoClient {
  /// What the callbacks report.
  final class Inbox {
    var connectResult: CInt?
    var delivered = 0
    /// Messages that arrived, except for retained ones, which were current when the client connected.
    var received: [(topic: String, text: String)] = []
    /// The latest errors that libmosquitto logged; it returns no reason for those of TLS.
    var errors: [String] = []
  }

  private let pointer: OpaquePointer
  private let inbox = Inbox()

  private static let library: Bool = mosquitto_lib_init() == CInt(MOSQ_ERR_SUCCESS.rawValue)

  /// `errno` of the latest failure. A failure of libmosquitto itself has none.
  private(set) var systemError: CInt?

  /// - Parameter id: identifies the session of the client at the broker.
  init(id: String) throws(OutletError) {
    guard Self.library,
      let pointer = unsafe mosquitto_new(id, true, Unmanaged.passUnretained(inbox).toOpaque())
    else {
      throw OutletError(Phrase("cannot create the MQTT client: \(unsafe String(cString: strerror(errno)))"))
    }
    unsafe self.pointer = pointer
    unsafe mosquitto_connect_callback_set(pointer) { _, object, code in
      unsafe MosquittoClient.inbox(object).connectResult = code
    }
    unsafe mosquitto_publish_callback_set(pointer) { _, object, _ in
      unsafe MosquittoClient.inbox(object).delivered += 1
    }
    unsafe mosquitto_log_callback_set(pointer) { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
      unsafe MosquittoClient.inbox(object).errors.append(String(cString: text))
    }
    unsafe mosquitto_message_callback_set(pointer) { _, object, message in
      guard let message = unsafe message?.pointee, unsafe !message.retain, let topic = unsafe message.topic,
        unsafe (0...mostBytes).contains(message.payloadlen)
      else { return }
      let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      unsafe MosquittoClient.inbox(object).received.append((String(cString: topic), text))
    }
  }

  deinit { unsafe mosquitto_destroy(pointer) }

  private static func inbox(_ object: UnsafeMutableRawPointer?) -> Inbox {
    guard let object = unsafe object else { preconditionFailure("the client has an inbox") }
    return unsafe Unmanaged<Inbox>.fromOpaque(object).takeUnretainedValue()
  }

  // MARK: Before connecting

  func setCredentials(_ credentials: CredentialsFile) throws(OutletError) {
    try check(
      unsafe mosquitto_username_pw_set(pointer, credentials.user, credentials.password),
      Phrase("cannot set the password"))
  }

  func setTLS(_ options: MQTTOptions) throws(OutletError) {
    let folder = options.authorities == nil ? "/etc/ssl/certs" : nil
    try check(
      unsafe mosquitto_tls_set(
        pointer, options.authorities, folder, options.certificate, options.key, nil),
      Phrase("cannot use the certificates of \(options.host)"))
  }

  func setWill(_ message: MQTTMessage) throws(OutletError) {
    let count = CInt(message.payload.count)
    try check(
      unsafe mosquitto_will_set(
        pointer, message.topic, count, message.payload, message.qos, message.isRetained),
      Phrase("cannot set the will"))
  }

  /// Blocks until the connection exists or fails.
  func connect(host: String, port: Int, keepAlive: CInt) throws(OutletError) {
    let result = unsafe mosquitto_connect(pointer, host, CInt(port), keepAlive)
    try check(result, Phrase("cannot connect to the MQTT broker \(host) port \(port)"))
  }

  // MARK: Connected

  var descriptor: CInt { unsafe mosquitto_socket(pointer) }
  var needsWriting: Bool { unsafe mosquitto_want_write(pointer) }

  /// The result of the broker (CONNACK), once.
  func takeConnectResult() -> CInt? {
    defer { inbox.connectResult = nil }
    return inbox.connectResult
  }

  /// Number of messages that were delivered since the last call.
  func takeDelivered() -> Int {
    defer { inbox.delivered = 0 }
    return inbox.delivered
  }

  /// The messages that arrived since the last call.
  func takeReceived() -> [(topic: String, text: String)] {
    defer { inbox.received = [] }
    return inbox.received
  }

  /// The errors that were logged since the last call.
  func takeErrors() -> [String] {
    defer { inbox.errors = [] }
    return inbox.errors
  }

  func subscribe(_ topic: String) throws(OutletError) {
    try check(unsafe mosquitto_subscribe(pointer, nil, topic, 0), Phrase("cannot subscribe to \(topic)"))
  }

  func publish(_ message: MQTTMessage) throws(OutletError) {
    let count = CInt(message.payload.count)
    try check(
      unsafe mosquitto_publish(
        pointer, nil, message.topic, count, message.payload, message.qos, message.isRetained),
      Phrase("cannot publish to \(message.topic)"))
  }

  /// Receives what has arrived, sends what is pending, and sends keep-alives.
  func service() throws(OutletError) {
    try check(unsafe mosquitto_loop_read(pointer, 16), Phrase("cannot receive from the MQTT broker"))
    if needsWriting {
      try check(unsafe mosquitto_loop_write(pointer, 16), Phrase("cannot send to the MQTT broker"))
    }
    try check(unsafe mosquitto_loop_misc(pointer), Phrase("cannot keep the connection to the MQTT broker"))
  }

  func disconnect() { unsafe mosquitto_disconnect(pointer) }

  private func check(_ result: CInt, _ attempt: Phrase) throws(OutletError) {
    guard result != CInt(MOSQ_ERR_SUCCESS.rawValue) else { return }
    let number = errno
    let isSystem = result == CInt(MOSQ_ERR_ERRNO.rawValue)
    systemError = isSystem ? number : nil
    let reason =
      unsafe isSystem
      ? String(cString: strerror(number)) : String(cString: mosquitto_strerror(result))
    throw OutletError(Phrase("\(attempt): \(reason)"))
  }
}

/// Where and how to connect to a broker.
package struct MQTTOptions: Equatable, Sendable {
  package var host: String
  package var port: Int
  package var usesTLS: Bool
  /// A file with the user name in the first line and the password in the second one.
  package var credentials: String?
  /// Certificates of the authorities to trust; those of the system by default.
  package var authorities: String?
  /// Certificate and key of this client.
  package var certificate: String?
  package var key: String?

  /// The options that name files of certificates, with their paths.
  var certificateFiles: [(option: String, path: String)] {
    [("ca", authorities), ("cert", certificate), ("key", key)].compactMap { option, path in
      path.map { (option, $0) }
    }
  }

  /// Advice to show before the first connection: the password would be sent without encryption to another machine.
  package var warning: Phrase? {
    let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host)
    guard credentials != nil, !usesTLS, !isLocal else { return nil }
    return Phrase(
      """
      the password for \(host) is sent without encryption; use mqtts:// if the broker supports TLS
      """)
  }
}

extension LibraryVersion {
  package static var libmosquitto: LibraryVersion {
    var (major, minor, revision): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe mosquitto_lib_version(&major, &minor, &revision)
    return LibraryVersion("libmosquitto", "\(major).\(minor).\(revision)")
  }
}
