import HTTPTypes
import HummingbirdCore

extension RequestFacts {
  /// The name of the cookie of admitted browsers.
  static let cookieName = "stressmon"

  init(_ request: Request, _ target: RequestTarget, isFromPermittedUser: Bool) {
    let headers = request.headers
    // The decoder removes the first Host header. A request with another one is rejected as one without.
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
