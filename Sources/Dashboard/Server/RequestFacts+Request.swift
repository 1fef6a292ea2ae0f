import HTTPTypes
import HummingbirdCore

extension RequestFacts {
  /// - Parameter cookieName: the name of the cookie that contains the token.
  init(_ request: Request, _ target: RequestTarget, cookieName: String) {
    let headers = request.headers
    // The decoder removes the first Host header. A request with another one is rejected as one without.
    let hasOtherHost = headers.contains(SecurityHeaders.name("Host"))
    let authority = hasOtherHost ? nil : request.head.authority
    self.init(method: request.method.rawValue, path: target.path, host: authority)
    origin = headers[.origin]
    fetchSite = headers[SecurityHeaders.name("Sec-Fetch-Site")]
    bearer = headers[.authorization].flatMap(Self.bearer)
    cookie = headers[values: .cookie].lazy.compactMap { Self.cookie(cookieName, in: $0) }.first
    queryToken = target.value("token")
  }

  private static func bearer(_ header: String) -> String? {
    let words = header.split(separator: " ", maxSplits: 1)
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }

  private static func cookie(_ name: String, in header: String) -> String? {
    for pair in header.split(separator: ";") {
      let words = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if words.count == 2, words[0] == name { return String(words[1]) }
    }
    return nil
  }
}
