/// The parts of a request that decide whether it is permitted.
package struct RequestFacts: Equatable, Sendable {
  package var method: String
  /// The path without the query.
  package var path: String
  package var host: String?
  package var origin: String?
  /// The header Sec-Fetch-Site, which browsers send and scripts of pages cannot change.
  package var fetchSite: String?
  /// The token of `Authorization: Bearer`.
  package var bearer: String?
  /// The values of all cookies of the name.
  package var cookies: [String] = []
  /// The parameter `token` of the query.
  package var queryToken: String?
  /// The parameter `code` of the query.
  package var code: String?
  /// Whether a permitted user has the other end of the connection.
  package var isFromPermittedUser = true

  package init(method: String, path: String, host: String?) {
    (self.method, self.path, self.host) = (method, path, host)
  }

  /// Whether the method changes nothing (RFC 9110, section 9.2.1).
  package var isSafe: Bool { ["GET", "HEAD"].contains(method) }
}

/// Decides whether a request is permitted, and with which scope.
package struct RequestPolicy: Sendable {
  private let hosts: HostPolicy
  private let verifier: TokenVerifier
  private let codes: LoginCodes
  private let isReadOnly: Bool

  package init(hosts: HostPolicy, verifier: TokenVerifier, codes: LoginCodes, isReadOnly: Bool) {
    (self.hosts, self.verifier, self.codes) = (hosts, verifier, codes)
    self.isReadOnly = isReadOnly
  }

  package enum Verdict: Equatable, Sendable {
    case permit(TokenScope, TokenHolder)
    /// Redirects to this origin, with the login code in the URL.
    case redirect(origin: String)
    /// Redeems the login code in the URL for a cookie.
    case admit
    /// Redirects an admitted browser to the URL without the used login code.
    case alreadyAdmitted
    case reject(Rejection)
  }

  package enum Rejection: Equatable, Sendable {
    case otherUser
    case host
    case crossSite
    case foreignOrigin
    case noToken
    case wrongToken
    case usedCode
    case scope
    case readOnly
  }

  package func verdict(_ request: RequestFacts) -> Verdict {
    guard request.isFromPermittedUser else { return .reject(.otherUser) }
    guard hosts.accepts(host: request.host) else { return .reject(.host) }
    if let rejection = siteRejection(request) { return .reject(rejection) }
    // Anyone can read the style and the script in the sources.
    if request.isSafe, AssetEndpoints.paths.contains(request.path) { return .permit(.read, .anyone) }
    if let code = request.code { return verdict(code: code, request) }
    if let token = request.queryToken {
      guard let grant = verifier.grant(ofURL: token) else { return .reject(.wrongToken) }
      return permission(grant, request)
    }
    if let token = request.bearer {
      guard let grant = verifier.grant(ofBearer: token) else { return .reject(.wrongToken) }
      return permission(grant, request)
    }
    guard hosts.isPrivate(host: request.host), !request.cookies.isEmpty else { return .reject(.noToken) }
    return verifier.admits(request.cookies) ? permission((.full, .owner), request) : .reject(.wrongToken)
  }

  /// A safe request may come from a link of another page only with a secret in its URL. An unsafe one must come from a page of this
  /// server, or from a script, which sends a bearer token and no Origin.
  private func siteRejection(_ request: RequestFacts) -> Rejection? {
    // With Referrer-Policy no-referrer, browsers send the Origin "null" with the forms of this server's own pages, and
    // Sec-Fetch-Site, which a page cannot forge.
    let origin = request.origin == "null" && request.fetchSite == "same-origin" ? nil : request.origin
    if let origin, !hosts.accepts(origin: origin) { return .foreignOrigin }
    switch request.fetchSite {
    case "cross-site", "same-site":
      if request.queryToken ?? request.code == nil || !request.isSafe { return .crossSite }
    case "same-origin", "none", nil: break
    default: return .crossSite
    }
    guard !request.isSafe else { return nil }
    let isSameOrigin = request.origin != nil || request.fetchSite == "same-origin"
    return isSameOrigin || request.bearer != nil ? nil : .foreignOrigin
  }

  /// A code is redeemed at the host of the pages only, whose cookies no other server receives.
  private func verdict(code: String, _ request: RequestFacts) -> Verdict {
    guard request.method == "GET" else { return .reject(.noToken) }
    let isPrivate = hosts.isPrivate(host: request.host)
    if codes.contains(code) { return isPrivate ? .admit : .redirect(origin: hosts.origin) }
    return isPrivate && verifier.admits(request.cookies) ? .alreadyAdmitted : .reject(.usedCode)
  }

  private func permission(_ grant: TokenVerifier.Grant, _ request: RequestFacts) -> Verdict {
    guard grant.scope.permits(path: APIVersion.path(request.path), isSafe: request.isSafe) else {
      return .reject(.scope)
    }
    if isReadOnly, !request.isSafe { return .reject(.readOnly) }
    return .permit(grant.scope, grant.holder)
  }
}

extension RequestPolicy.Rejection {
  /// The response to a rejected request.
  var problem: Problem {
    switch self {
    case .otherUser:
      Problem(
        403, "Another user",
        "Connections of other users of this machine are rejected. To permit a reverse proxy, start the server with: "
          + "stressmon serve --allow-user NAME")
    case .host:
      Problem(
        421, "Unknown host",
        "The Host header names another server. Open the URL that 'stressmon serve url' prints.")
    case .crossSite: Problem(403, "Cross-site request", "Requests from pages of other sites are rejected.")
    case .foreignOrigin:
      Problem(
        403, "Foreign origin", "This request must come from a page of this server, or have a bearer token.")
    case .noToken:
      Problem(
        401, "No token",
        "Open the URL that 'stressmon serve url' prints, or send 'Authorization: Bearer TOKEN'.")
    case .wrongToken:
      Problem(
        401, "Unknown token",
        "The token or the login of this browser was removed, or never existed. Print a URL to log in with: stressmon serve url"
      )
    case .usedCode:
      Problem(
        401, "Used login code",
        "A login URL works once, within a day. Print another one with: stressmon serve url")
    case .scope:
      Problem(403, "Insufficient scope", "The scope of the token does not permit this request.")
    case .readOnly: Problem(403, "Read-only server", "The server was started with --read-only.")
    }
  }
}
