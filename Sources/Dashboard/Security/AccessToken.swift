import Crypto
import JSONLines

/// A random secret of 256 bits, as 43 characters of base64url (RFC 4648, section 5).
package struct AccessToken: Sendable {
  package let text: String

  package init(using generator: inout some RandomNumberGenerator) {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    text = Base64.encode(bytes, padding: false).replacing("+", with: "-").replacing("/", with: "_")
  }

  /// A token of the operating system's random number generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  package var digest: TokenDigest { TokenDigest(of: text) }
}

/// The SHA-256 digest of a token. It needs no salt: tokens have 256 random bits and cannot be searched for.
package struct TokenDigest: Equatable, Sendable {
  /// 64 hexadecimal digits.
  package let hex: String

  package init(of token: String) {
    hex = SHA256.hash(data: Array(token.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 2 ? digits : "0" + digits
    }.joined()
  }

  init(hex: String) { self.hex = hex }

  /// Compares all digits in a time that does not depend on their values.
  package static func == (a: TokenDigest, b: TokenDigest) -> Bool {
    guard a.hex.utf8.count == b.hex.utf8.count else { return false }
    return zip(a.hex.utf8, b.hex.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// What a token permits.
package enum TokenScope: String, Sendable, CaseIterable {
  /// The current heart rate: `/hr`.
  case hr
  /// Values for Prometheus: `/metrics`.
  case metrics
  /// The overlay and its live values: `/widget`, `/hr`, `/events`.
  case widget
  /// Everything that can be read.
  case read
  /// Everything that can be read, and what other programs add: journal entries, marks, and the start and end of readings.
  case write
  /// Everything: the bearer token of a start of the server, and admitted browsers. No permanent token has this scope.
  case full

  /// The scopes that a stored token can have.
  package static let storable: [TokenScope] = [.hr, .metrics, .widget, .read, .write]

  private static let writable = [JournalAPI.path, MarkAPI.path, ActivityAPI.path]

  /// Whether a request is permitted.
  /// - Parameter path: without the version (``APIVersion/path(_:)``).
  package func permits(path: String, isSafe: Bool) -> Bool {
    switch self {
    case .full: true
    case .read: isSafe
    case .write: isSafe || Self.writable.contains(path)
    case .hr: isSafe && path == "/hr"
    case .metrics: isSafe && path == "/metrics"
    case .widget: isSafe && ["/widget", "/hr", "/events"].contains(path)
    }
  }
}
