import HTTPTypes
import HummingbirdCore
import JSONLines

/// The target of a request in origin form: an absolute path and a query (RFC 9112, section 3.2.1).
package struct RequestTarget: Equatable, Sendable {
  /// Limit in bytes.
  package static let longest = 4096

  /// The path without percent-encoding.
  package let path: String
  /// The parameters in their order.
  package let parameters: [(name: String, value: String)]

  /// `/` without parameters.
  static let root = RequestTarget()

  private init() { (path, parameters) = ("/", []) }

  /// Fails for any other form and for invalid percent-encoding.
  package init?(_ text: String) {
    guard text.hasPrefix("/"), text.utf8.count <= Self.longest else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decoded(parts[0], plusIsSpace: false),
      let parameters = Self.fields(parts.count > 1 ? parts[1] : "")
    else { return nil }
    (self.path, self.parameters) = (path, parameters)
  }

  /// The names and values of a query or a form, if their percent-encoding is valid.
  static func fields(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(words[0], plusIsSpace: true),
        let value = decoded(words.count > 1 ? words[1] : "", plusIsSpace: true)
      else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  /// The first value of a parameter.
  package func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  private static func decoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  package static func == (a: RequestTarget, b: RequestTarget) -> Bool {
    a.path == b.path && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
  }
}

extension RequestFacts {
  /// The name of the cookie of admitted browsers.
  static let cookieName = "stressmon"

  init(_ request: Request, _ target: RequestTarget, isFromPermittedUser: Bool) {
    let headers = request.headers
    // The decoder removes the first Host header. Duplicate Host headers are rejected like a missing one.
    let hasOtherHost = headers.contains(SecurityHeaders.name("Host"))
    let authority = hasOtherHost ? nil : request.head.authority
    self.init(method: request.method.rawValue, path: target.path, host: authority)
    origin = headers[.origin]
    fetchSite = headers[SecurityHeaders.name("Sec-Fetch-Site")]
    bearer = headers[.authorization].flatMap(Self.bearer)
    cookies = headers[values: .cookie].flatMap(Self.cookies)
    (queryToken, code) = (target.value("token"), target.value("code"))
    self.isFromPermittedUser = isFromPermittedUser
  }

  private static func bearer(_ header: String) -> String? {
    let words = header.split(separator: " ", maxSplits: 1)
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }

  /// The values of the cookies of the name; browsers send several ones if a server at another port sets one with another path.
  private static func cookies(in header: String) -> [String] {
    header.split(separator: ";").compactMap { pair in
      let words = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return words.count == 2 && words[0] == cookieName ? String(words[1]) : nil
    }
  }
}
