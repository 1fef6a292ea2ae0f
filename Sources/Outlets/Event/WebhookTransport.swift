import Crypto
import Glibc
import Localization
import Platform

/// Where and how events are posted.
package struct WebhookOptions: Equatable, Sendable {
  package var host: String
  package var port: Int
  /// With the slash.
  package var path: String
  /// A file with the key of the signature.
  package var secret: String?
}

/// Posts each event to an HTTP server (RFC 9112), in order, and again after a failure.
///
/// A refused connection, a timeout and the status codes 408, 429 and 5xx are retried after 1, 2, 4, ... and at most 30 s.
/// Other codes than 2xx drop the event. The header `X-Stressmon-Signature` is `sha256=` and the HMAC of the body.
package final class WebhookTransport: OutletTransport {
  /// Limit of the events that wait. If it is exceeded, the oldest one is dropped.
  static let queueLimit = 64
  /// Limit of each operation of the socket in s.
  private static let timeout = 5

  private let options: WebhookOptions
  private var key: SymmetricKey?
  private var queue: [EventEncoder.Message] = []
  private var backoff = Backoff()
  private var retryAt: Int64 = 0

  package init(options: WebhookOptions) { self.options = options }

  package var pendingCount: Int { queue.count }

  package func open() throws(OutletError) -> Bool {
    guard let path = options.secret else { return true }
    do throws(CredentialsFile.Invalid) {
      key = SymmetricKey(data: Array(try CredentialsFile.secret(path: path).utf8))
      return true
    } catch { throw OutletError(error.message) }
  }

  package func send(_ message: EventEncoder.Message) throws(OutletError) -> Delivery {
    queue.append(message)
    guard queue.count > Self.queueLimit else { return .pending }
    queue.removeFirst()
    return .dropped(
      OutletError(
        Phrase("\(options.host) port \(options.port) accepts no events; the oldest one was dropped")))
  }

  /// Waits for the next attempt only: there is no connection between two events.
  package var interest: TransportInterest? {
    guard !queue.isEmpty else { return nil }
    return TransportInterest(descriptor: -1, isWriting: false, interval: max(0, retryAt - SystemClock.boot))
  }

  package func service() throws(OutletError) -> [TransportEvent] {
    guard !queue.isEmpty, SystemClock.boot >= retryAt else { return [] }
    switch post(queue[0]) {
    case .success:
      queue.removeFirst()
      backoff.connected(at: SystemClock.boot)
      return [.delivered(1)]
    case .failure(.rejected(let reason)):
      queue.removeFirst()
      return [.failed(1, error(reason))]
    case .failure(.temporary(let reason)):
      retryAt = backoff.failed(at: SystemClock.boot)
      return [.warned(error(reason))]
    }
  }

  package func flush() -> Int {
    var delivered = 0
    let deadline = SystemClock.boot + 1_000_000_000
    while !queue.isEmpty, SystemClock.boot < deadline, case .success = post(queue[0]) {
      queue.removeFirst()
      delivered += 1
    }
    return delivered
  }

  package func close() { queue = [] }

  private func error(_ reason: Phrase) -> OutletError {
    OutletError(Phrase("cannot post to http://\(options.host):\(options.port)\(options.path): \(reason)"))
  }

  // MARK: HTTP

  private enum Failure: Error {
    /// Another attempt can succeed.
    case temporary(Phrase)
    case rejected(Phrase)
  }

  private func post(_ message: EventEncoder.Message) -> Result<Void, Failure> {
    do throws(FileError) {
      let socket = try HTTPSocket(host: options.host, port: options.port, timeout: Self.timeout)
      defer { socket.close() }
      return Self.result(try socket.exchange(head(message) + message.body))
    } catch {
      return .failure(.temporary(unsafe Phrase(untranslated: String(cString: strerror(error.errno)))))
    }
  }

  private func head(_ message: EventEncoder.Message) -> [UInt8] {
    var lines = [
      "POST \(options.path) HTTP/1.1", "Host: \(options.host):\(options.port)",
      "User-Agent: stressmon/\(programVersion)",
      "Content-Type: application/json", "Content-Length: \(message.body.count)", "Connection: close",
      "X-Stressmon-Event: \(message.kind.rawValue)",
    ]
    if let key { lines.append("X-Stressmon-Signature: sha256=\(Self.signature(message.body, key))") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  static func signature(_ body: [UInt8], _ key: SymmetricKey) -> String {
    HMAC<SHA256>.authenticationCode(for: body, using: key).map(OutletIdentity.hex).joined()
  }

  /// The meaning of a status line.
  private static func result(_ line: String) -> Result<Void, Failure> {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      return .failure(.temporary(Phrase("the answer is not HTTP")))
    }
    let answer = String(line.dropFirst(9))
    switch status {
    case 200..<300: return .success(())
    case 408, 429, 500...: return .failure(.temporary(Phrase("the server answered \(answer)")))
    default:
      return .failure(
        .rejected(Phrase("the server answered \(answer); correct the address in the target")))
    }
  }
}
