import HTTPTypes
import HummingbirdCore
import Localization
import Platform

/// Admits browsers: redeems the login code of a URL for a cookie that remains valid until the browser is removed.
struct Login: Sendable {
  /// Further browsers replace the first ones.
  static let maximumBrowsers = 64
  /// The longest time in s for which browsers keep a cookie: 400 days (RFC 6265bis).
  private static let cookieAge = 34_560_000

  let codes: LoginCodes
  let browsers: TokenStore
  let pages: ErrorPages

  /// Redirects to the page without a code, or with it to the host of the pages.
  func redirect(_ target: RequestTarget, to origin: String? = nil) -> Response {
    let location =
      origin.map { $0 + Self.page(target, code: target.value("code") ?? "") } ?? Self.page(target)
    return Response(status: .seeOther, headers: [.location: location])
  }

  /// The answer is a page that continues by itself: browsers do not send a Strict cookie after a redirect from another host.
  func admit(_ request: Request, _ target: RequestTarget) throws -> Response {
    guard codes.redeem(target.value("code") ?? "") else { throw RequestPolicy.Rejection.usedCode.problem }
    let name = Self.browser(request.headers[.userAgent] ?? "")
    let cookie = try browsers.addNumbered(name, .full, at: SystemClock.wall, limit: Self.maximumBrowsers)
    var response = pages.continuation(request, to: Self.page(target))
    response.headers[.setCookie] =
      "\(RequestFacts.cookieName)=\(cookie.text); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(Self.cookieAge)"
    return response
  }

  /// The page of the target for the same profile. A path that begins with two slashes names another host.
  private static func page(_ target: RequestTarget, code: String? = nil) -> String {
    let isPlain = target.path.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"%?#\"<>\\".utf8.contains($0) }
    let path = isPlain && !target.path.hasPrefix("//") ? target.path : "/"
    let query = [("profile", target.value("profile")), ("code", code)].compactMap { name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// The first of these names in the header; those of other products contain the names of the later ones.
  private static func browser(_ agent: String) -> String {
    let names = [
      ("Edg/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"), ("Chromium/", "Chromium"),
      ("Chrome/", "Chrome"), ("Firefox/", "Firefox"), ("Safari/", "Safari"),
    ]
    return names.first { agent.contains($0.0) }?.1 ?? "browser"
  }
}
