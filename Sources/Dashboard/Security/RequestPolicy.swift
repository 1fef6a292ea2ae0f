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
  /// The token of the cookie.
  package var cookie: String?
  /// The parameter `token` of the query.
  package var queryToken: String?

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
  private let isReadOnly: Bool

  package init(hosts: HostPolicy, verifier: TokenVerifier, isReadOnly: Bool) {
    (self.hosts, self.verifier, self.isReadOnly) = (hosts, verifier, isReadOnly)
  }

  package enum Verdict: Equatable, Sendable {
    case permit(TokenScope)
    /// Exchanges the token in the URL for the cookie, and redirects to the URL without it.
    case exchange
    case reject(Rejection)
  }

  package enum Rejection: Equatable, Sendable {
    case host
    case crossSite
    case foreignOrigin
    case noToken
    case wrongToken
    case scope
    case readOnly
  }

  package func verdict(_ request: RequestFacts) -> Verdict {
    guard hosts.accepts(host: request.host) else { return .reject(.host) }
    if let rejection = siteRejection(request) { return .reject(rejection) }
    // Anyone can read the style and the script in the sources.
    if request.isSafe, AssetEndpoints.paths.contains(request.path) { return .permit(.read) }
    if let token = request.queryToken { return verdict(urlToken: token, request) }
    guard let token = request.bearer ?? request.cookie else { return .reject(.noToken) }
    guard let scope = verifier.scope(of: token) else { return .reject(.wrongToken) }
    return permission(scope, request)
  }

  /// A safe request may come from a link of another page only to be exchanged. An unsafe one must come from a page of this
  /// server, or from a script, which sends a bearer token and no Origin.
  private func siteRejection(_ request: RequestFacts) -> Rejection? {
    // With Referrer-Policy no-referrer, browsers send the Origin "null" with the forms of this server's own pages, and
    // Sec-Fetch-Site, which a page cannot forge.
    let origin = request.origin == "null" && request.fetchSite == "same-origin" ? nil : request.origin
    if let origin, !hosts.accepts(origin: origin) { return .foreignOrigin }
    switch request.fetchSite {
    case "cross-site", "same-site": if request.queryToken == nil || !request.isSafe { return .crossSite }
    case "same-origin", "none", nil: break
    default: return .crossSite
    }
    guard !request.isSafe else { return nil }
    let isSameOrigin = request.origin != nil || request.fetchSite == "same-origin"
    return isSameOrigin || request.bearer != nil ? nil : .foreignOrigin
  }

  /// The token of this start is exchanged for a cookie. A stored token of a small scope is used directly, because programs
  /// such as OBS keep the URL and no cookie.
  private func verdict(urlToken: String, _ request: RequestFacts) -> Verdict {
    guard request.isSafe else { return .reject(.noToken) }
    guard let scope = verifier.scope(of: urlToken) else { return .reject(.wrongToken) }
    return scope == .full ? .exchange : permission(scope, request)
  }

  private func permission(_ scope: TokenScope, _ request: RequestFacts) -> Verdict {
    guard scope.permits(path: request.path, isSafe: request.isSafe) else { return .reject(.scope) }
    if isReadOnly, !request.isSafe { return .reject(.readOnly) }
    return .permit(scope)
  }
}
