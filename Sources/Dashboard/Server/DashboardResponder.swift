import HTTPTypes
import History
import HummingbirdCore
import NIOCore

/// Answers the requests of a server: checks each one, calls its endpoint, and adds the security headers.
struct DashboardResponder: Sendable {
  let policy: RequestPolicy
  let endpoints: EndpointTable
  let audit: AuditLog
  let login: Login
  let errorPages: ErrorPages
  /// Whether a permitted user has the other end of a connection.
  let permitsConnection: @Sendable (any Channel) -> Bool
  let connections: ConnectionLimit

  func respond(to request: Request, _ channel: any Channel) async -> Response {
    var response = await response(to: request, on: channel)
    SecurityHeaders.add(to: &response.headers)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func response(to request: Request, on channel: any Channel) async -> Response {
    guard let target = RequestTarget(request.head.path ?? "") else {
      return Problem(400, "Invalid request target", "Expected an absolute path of at most 4096 bytes.")
        .response
    }
    let facts = RequestFacts(request, target, isFromPermittedUser: permitsConnection(channel))
    let verdict = policy.verdict(facts)
    let response = await response(to: request, target, facts, verdict, channel)
    audit.record(facts, verdict, status: response.status.code)
    return response
  }

  private func response(
    to request: Request, _ target: RequestTarget, _ facts: RequestFacts, _ verdict: RequestPolicy.Verdict,
    _ channel: any Channel
  ) async -> Response {
    switch verdict {
    case .reject(let rejection):
      return errorPages.response(rejection.problem, to: request, path: target.path, isPermitted: false)
        ?? rejection.problem.response
    case .redirect(let origin): return login.redirect(target, to: origin)
    case .alreadyAdmitted: return login.redirect(target)
    case .admit:
      do {
        return try login.admit(request, target)
      } catch {
        return failure(error, request, target)
      }
    case .permit(_, let holder):
      do {
        guard connections.verify(channel, holder) else { throw Self.tooManyConnections }
        let (endpoint, identifier) = try endpoints.endpoint(request.method.rawValue, target.path)
        return try await endpoint.handle(
          PermittedRequest(
            request: request, target: target, holder: holder, identifier: identifier,
            closeConnection: { channel.close(mode: .all, promise: nil) },
            isStillPermitted: { policy.verdict(facts) == verdict }))
      } catch {
        return failure(error, request, target)
      }
    }
  }

  private static let tooManyConnections = Problem(
    503, "Too many connections", "The token has too many connections. Close one, or use another token.",
    retryAfter: 5)

  private func failure(_ error: any Error, _ request: Request, _ target: RequestTarget) -> Response {
    if let error = error as? MethodNotAllowed { return error.response }
    let problem = problem(error)
    var response =
      errorPages.response(problem, to: request, path: target.path, isPermitted: true) ?? problem.response
    response.headers[.retryAfter] = problem.retryAfter.map(String.init)
    return response
  }

  private func problem(_ error: any Error) -> Problem {
    if let problem = error as? Problem { return problem }
    audit.report(error)
    if let error = error as? HistoryError, error.code == .locked {
      return Problem(503, "History is locked", error.description, retryAfter: 5)
    }
    return Problem(
      500, "Internal error", "The request could not be answered; the server's log has the reason.")
  }
}

extension DashboardResponder {
  /// - Parameters:
  ///   - token: The bearer token of this start of the server.
  init(
    options: DashboardOptions, port: Int, token: AccessToken, endpoints: EndpointTable,
    permitsConnection: @escaping @Sendable (any Channel) -> Bool, connections: ConnectionLimit
  ) {
    let pages = ErrorPages(options: options)
    self.init(
      policy: RequestPolicy(
        hosts: HostPolicy(port: port, pages: options.host),
        verifier: TokenVerifier(start: token, tokens: options.tokens, browsers: options.browsers),
        codes: options.codes, isReadOnly: options.isReadOnly),
      endpoints: endpoints, audit: options.audit,
      login: Login(codes: options.codes, browsers: options.browsers, pages: pages), errorPages: pages,
      permitsConnection: permitsConnection, connections: connections)
  }
}
