import HTTPTypes
import HummingbirdCore
import NIOCore

/// Answers the requests of a server: checks each one, calls its endpoint, and adds the security headers.
struct DashboardResponder: Sendable {
  let policy: RequestPolicy
  let endpoints: EndpointTable
  let audit: AuditLog
  let cookieName: String
  let errorPages: ErrorPages

  func respond(to request: Request, _ channel: any Channel) async -> Response {
    var response = await response(to: request) { channel.close(mode: .all, promise: nil) }
    SecurityHeaders.add(to: &response.headers)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func response(to request: Request, close: @escaping @Sendable () -> Void) async -> Response {
    guard let target = RequestTarget(request.head.path ?? "") else {
      return Problem(400, "Invalid request target", "Expected an absolute path of at most 4096 bytes.")
        .response
    }
    let facts = RequestFacts(request, target, cookieName: cookieName)
    let verdict = policy.verdict(facts)
    let response = await response(to: request, target, verdict, close)
    if !facts.isSafe { audit.record(facts, verdict, status: response.status.code) }
    return response
  }

  private func response(
    to request: Request, _ target: RequestTarget, _ verdict: RequestPolicy.Verdict,
    _ close: @escaping @Sendable () -> Void
  ) async -> Response {
    switch verdict {
    case .reject(let rejection):
      return errorPages.response(rejection.problem, to: request, path: target.path, isPermitted: false)
        ?? rejection.problem.response
    case .exchange: return exchange(target)
    case .permit(let scope):
      do {
        let (endpoint, identifier) = try endpoints.endpoint(request.method.rawValue, target.path)
        return try await endpoint.handle(
          PermittedRequest(
            request: request, target: target, scope: scope, identifier: identifier, closeConnection: close))
      } catch {
        return failure(error, request, target)
      }
    }
  }

  /// Sets the cookie and redirects to the path without the token. The Strict cookie is sent with the redirected request,
  /// because that has the same site.
  private func exchange(_ target: RequestTarget) -> Response {
    let token = target.value("token") ?? ""
    // A path that begins with two slashes names another host.
    let path = target.path.hasPrefix("//") || target.path.contains("\\") ? "/" : target.path
    let location = path.utf8.allSatisfy(Self.isPlain) ? path : "/"
    return Response(
      status: .seeOther,
      headers: [
        .location: location, .setCookie: "\(cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/",
      ])
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
  }

  private func failure(_ error: any Error, _ request: Request, _ target: RequestTarget) -> Response {
    if let error = error as? MethodNotAllowed { return error.response }
    let problem = problem(error)
    return errorPages.response(problem, to: request, path: target.path, isPermitted: true) ?? problem.response
  }

  private func problem(_ error: any Error) -> Problem {
    if let problem = error as? Problem { return problem }
    audit.report(error)
    return Problem(
      500, "Internal error", "The request could not be answered; the server's log has the reason.")
  }
}
