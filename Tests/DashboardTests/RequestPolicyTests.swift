import Platform
import TestSupport
import Testing

@testable import Dashboard

@Suite struct RequestPolicyTests {
  private let session = AccessToken()
  private let folder: TemporaryFolder
  private let store: TokenStore
  private let browsers: TokenStore
  private let codes: LoginCodes
  private let host = "\(ServerFixture.label).localhost:8077"

  init() throws {
    folder = try TemporaryFolder(prefix: "tokens")
    store = TokenStore(path: folder.file("data/tokens.jsonl"))
    browsers = TokenStore(path: folder.file("data/browsers.jsonl"), scopes: [.full])
    codes = try LoginCodes(ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": folder.file("run")]))
  }

  private func policy(readOnly: Bool = false) -> RequestPolicy {
    RequestPolicy(
      hosts: HostPolicy(port: 8077, pages: PrivateHost(label: ServerFixture.label)),
      verifier: TokenVerifier(start: session, tokens: store, browsers: browsers), codes: codes,
      isReadOnly: readOnly)
  }

  /// A request of an admitted browser.
  private func browserRequest(_ method: String = "GET", _ path: String = "/api/status") throws -> RequestFacts
  {
    var request = RequestFacts(method: method, path: path, host: host)
    request.cookies = [try browsers.addNumbered("Firefox", .full, at: SystemClock.wall, limit: 64).text]
    return request
  }

  private func request(_ method: String = "GET", _ path: String = "/api/status") -> RequestFacts {
    var request = RequestFacts(method: method, path: path, host: "127.0.0.1:8077")
    request.bearer = session.text
    return request
  }

  @Test(arguments: ["127.0.0.1:8077", "[::1]:8077", "localhost:8077", "LOCALHOST:8077"])
  func theHostsOfTheServerAreAccepted(_ host: String) {
    var request = request()
    request.host = host
    #expect(policy().verdict(request) == .permit(.full, .owner))
  }

  @Test(arguments: [
    nil, "", "127.0.0.1", "127.0.0.1:8078", "127.0.0.1:80777", "127.0.0.1:08077", "127.0.0.1.evil:8077",
    "localhost.evil:8077", "evil.localhost:8077", "localhost.:8077", "evil.example:8077", "0.0.0.0:8077",
    "127.0.0.2:8077", "127.1:8077", "2130706433:8077", "[::]:8077", "[::ffff:127.0.0.1]:8077", "::1:8077",
    "127.0.0.1:8077@evil:8077", "127.0.0.1:8077 ", "127.0.0.1:8077,evil",
  ])
  func anyOtherHostIsRejected(_ host: String?) {
    var request = request()
    request.host = host
    #expect(policy().verdict(request) == .reject(.host))
  }

  /// Browsers send it with the forms of a page that has Referrer-Policy no-referrer.
  @Test func theOriginNullIsAcceptedOnlyFromThisServersPages() {
    var request = request("POST")
    request.origin = "null"
    request.fetchSite = "same-origin"
    #expect(policy().verdict(request) == .permit(.full, .owner))
    for site in ["cross-site", "same-site", "none", nil] {
      request.fetchSite = site
      #expect(policy().verdict(request) == .reject(.foreignOrigin))
    }
  }

  @Test func styleAndScriptNeedNoTokenButTheHost() {
    for path in AssetEndpoints.paths {
      var request = RequestFacts(method: "GET", path: path, host: "127.0.0.1:8077")
      #expect(policy().verdict(request) == .permit(.read, .anyone))
      request.host = "evil.example:8077"
      #expect(policy().verdict(request) == .reject(.host))
      request = RequestFacts(method: "POST", path: path, host: "127.0.0.1:8077")
      #expect(policy().verdict(request) != .permit(.read, .anyone))
    }
  }

  @Test(arguments: [
    "http://evil.example", "null", "http://127.0.0.1:8078", "https://127.0.0.1:8077",
    "http://127.0.0.1:8077.evil",
    "http://localhost.evil:8077", "", "file://",
  ])
  func aForeignOriginIsRejectedWithAnyMethod(_ origin: String) {
    for method in ["GET", "POST"] {
      var request = request(method)
      request.origin = origin
      #expect(policy().verdict(request) == .reject(.foreignOrigin))
    }
  }

  @Test func aFormOfAnotherSiteIsRejectedDespiteTheCookie() throws {
    var request = try browserRequest("POST", "/api/journal")
    #expect(policy().verdict(request) == .reject(.foreignOrigin))
    request.fetchSite = "cross-site"
    #expect(policy().verdict(request) == .reject(.crossSite))
    request.fetchSite = "same-site"
    #expect(policy().verdict(request) == .reject(.crossSite))
    request.fetchSite = "same-origin"
    #expect(policy().verdict(request) == .permit(.full, .owner))
    (request.fetchSite, request.origin) = (nil, "http://localhost:8077")
    #expect(policy().verdict(request) == .permit(.full, .owner))
  }

  @Test func dataAreNotReadFromAPageOfAnotherSite() throws {
    var request = try browserRequest()
    for site in ["cross-site", "same-site", "words"] {
      request.fetchSite = site
      #expect(policy().verdict(request) == .reject(.crossSite))
    }
    for site in ["same-origin", "none", nil] {
      request.fetchSite = site
      #expect(policy().verdict(request) == .permit(.full, .owner))
    }
  }

  @Test func aRequestWithoutOrWithAWrongTokenIsRejected() {
    var request = request()
    request.bearer = nil
    #expect(policy().verdict(request) == .reject(.noToken))
    for token in ["", "x", String(session.text.dropLast()), session.text + "A", AccessToken().text] {
      request.bearer = token
      #expect(policy().verdict(request) == .reject(.wrongToken))
    }
  }

  @Test func aLoginCodeIsRedeemedAtTheHostOfThePagesOnly() throws {
    var request = RequestFacts(method: "GET", path: "/", host: "127.0.0.1:8077")
    request.code = try codes.add().text
    #expect(policy().verdict(request) == .redirect(origin: "http://\(host)"))
    // A link in another program or page.
    (request.host, request.fetchSite) = (host, "cross-site")
    #expect(policy().verdict(request) == .admit)
    (request.method, request.fetchSite) = ("POST", "same-origin")
    #expect(policy().verdict(request) == .reject(.noToken))
    request.method = "HEAD"
    #expect(policy().verdict(request) == .reject(.noToken))
    #expect(codes.redeem(request.code ?? "") && !codes.redeem(request.code ?? ""))
    request.method = "GET"
    #expect(policy().verdict(request) == .reject(.usedCode))
    request.cookies = try browserRequest().cookies
    #expect(policy().verdict(request) == .alreadyAdmitted)
    request.code = "../../x"
    #expect(policy().verdict(request) == .alreadyAdmitted)
  }

  /// Each of the three secrets is accepted in its place only.
  @Test func aSecretIsNotAcceptedInPlaceOfAnother() throws {
    let (cookie, code) = (try browserRequest().cookies[0], try codes.add().text)
    for secret in [cookie, code] {
      var request = request()
      request.bearer = secret
      #expect(policy().verdict(request) == .reject(.wrongToken))
      (request.bearer, request.queryToken) = (nil, secret)
      #expect(policy().verdict(request) == .reject(.wrongToken))
    }
    var request = RequestFacts(method: "GET", path: "/", host: host)
    for secret in [session.text, code] {
      request.cookies = [secret]
      #expect(policy().verdict(request) == .reject(.wrongToken))
    }
    (request.cookies, request.queryToken) = ([], session.text)
    #expect(policy().verdict(request) == .reject(.wrongToken))
    for secret in [session.text, cookie] {
      (request.queryToken, request.code) = (nil, secret)
      #expect(policy().verdict(request) == .reject(.usedCode))
    }
  }

  /// Servers at other ports of 127.0.0.1 can receive its cookies, and set cookies with other paths.
  @Test func cookiesAreAcceptedAtTheHostOfThePagesOnly() throws {
    var request = try browserRequest()
    request.cookies = ["x"] + request.cookies
    #expect(policy().verdict(request) == .permit(.full, .owner))
    for other in ["127.0.0.1:8077", "localhost:8077", "[::1]:8077"] {
      request.host = other
      #expect(policy().verdict(request) == .reject(.noToken))
    }
    request.host = host
    try browsers.remove("Firefox-1")
    #expect(policy().verdict(request) == .reject(.wrongToken))
  }

  @Test func connectionsOfOtherUsersAreRejectedBeforeAnythingElse() throws {
    for facts in [request(), try browserRequest(), RequestFacts(method: "GET", path: "/", host: "evil")] {
      var request = facts
      request.isFromPermittedUser = false
      #expect(policy().verdict(request) == .reject(.otherUser))
    }
  }

  @Test func aStoredTokenPermitsItsScopeOnlyUntilItIsRemoved() throws {
    let permitted: [TokenScope: [String]] = [
      .hr: ["/hr"], .metrics: ["/metrics"], .widget: ["/hr", "/events", "/widget"],
      .read: ["/hr", "/metrics", "/events", "/widget", "/api/status", "/"],
      .write: ["/hr", "/metrics", "/events", "/widget", "/api/status", "/"],
    ]
    let policy = policy()
    for scope in TokenScope.storable {
      let token = try store.add("t-\(scope.rawValue)", scope, at: SystemClock.wall)
      for path in ["/hr", "/metrics", "/events", "/widget", "/api/status", "/"] {
        var request = request("GET", path)
        request.bearer = token.text
        let isPermitted = permitted[scope]?.contains(path) ?? false
        #expect(
          policy.verdict(request)
            == (isPermitted ? .permit(scope, .token("t-\(scope.rawValue)")) : .reject(.scope)),
          "\(scope) \(path)")
      }
      for path in ["/api/journal", "/api/v1/journal", "/api/marks", "/api/activity", "/now/start", "/delete"]
      {
        var change = request("POST", path)
        change.bearer = token.text
        let isPermitted = scope == .write && path.hasPrefix("/api/")
        #expect(
          policy.verdict(change) == (isPermitted ? .permit(.write, .token("t-write")) : .reject(.scope)),
          "\(scope) \(path)")
      }
      try store.remove("t-\(scope.rawValue)")
      var change = request("GET", "/hr")
      change.bearer = token.text
      #expect(policy.verdict(change) == .reject(.wrongToken))
    }
  }

  @Test func aReadOnlyServerRejectsChanges() {
    #expect(policy(readOnly: true).verdict(request("DELETE", "/api/activity")) == .reject(.readOnly))
    #expect(policy(readOnly: true).verdict(request()) == .permit(.full, .owner))
  }
}
