internal import CNats
internal import Localization

extension FleetError {
  /// A failure of libnats, with the text that it stored for this thread.
  /// - Parameters:
  ///   - attempt: what failed, such as "cannot create the stream".
  ///   - error: The error of JetStream; 0 without one.
  init(_ status: natsStatus, _ attempt: Phrase, error: jsErrCode = jsErrCode(rawValue: 0)) {
    let code = Self.code(status, error)
    let failure = Phrase("\(attempt): \(Self.reason(status))")
    self.init(code, Self.advice(status, error, code).map { Phrase("\(failure); \($0)") } ?? failure)
  }

  private static func reason(_ status: natsStatus) -> String {
    var latest = NATS_OK
    if let text = unsafe nats_GetLastError(&latest), latest == status {
      let reason = unsafe withoutSourceLocation(String(cString: text))
      if !reason.isEmpty { return reason }
    }
    return unsafe String(cString: natsStatus_GetText(status))
  }

  /// Without the location in the source of libnats, for example `(conn.c:2088): `.
  private static func withoutSourceLocation(_ text: String) -> String {
    guard text.hasPrefix("("), let end = text.firstRange(of: "): ") else { return text }
    return String(text[end.upperBound...])
  }

  private static func code(_ status: natsStatus, _ error: jsErrCode) -> Code {
    switch error {
    case JSStreamNotFoundErr: return .noStream
    case jsErrCode(rawValue: 0): break
    default: return .jetStream
    }
    return switch status {
    case NATS_CONNECTION_AUTH_FAILED: .unauthorized
    case NATS_NOT_PERMITTED: .notPermitted
    case NATS_NO_SERVER, NATS_TIMEOUT, NATS_IO_ERROR, NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED,
      NATS_STALE_CONNECTION, NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED,
      NATS_SYS_ERROR:
      .unreachable
    default: .jetStream
    }
  }

  private static func advice(_ status: natsStatus, _ error: jsErrCode, _ code: Code) -> Phrase? {
    switch error {
    case JSClusterNoPeersErr, JSInsufficientResourcesErr:
      return Phrase("a stream with N replicas requires N servers that run")
    case JSStorageResourcesExceededErr:
      return Phrase("choose a smaller --max-bytes, or a larger max_file_store")
    default: break
    }
    switch status {
    case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED:
      return Phrase("add ca=FILE with the certificate of the authority, and check cert= and key=")
    default: break
    }
    return switch code {
    case .unreachable: Phrase("start nats-server, or check host, port and certificates")
    case .unauthorized: Phrase("check credentials=FILE and the users of nats-server")
    default: nil
    }
  }
}

/// Throws the error of a call of libnats.
func check(
  _ status: natsStatus, _ attempt: @autoclosure () -> Phrase, error: jsErrCode = jsErrCode(rawValue: 0)
) throws(FleetError) {
  guard status == NATS_OK else { throw FleetError(status, attempt(), error: error) }
}
