import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request that was permitted.
struct PermittedRequest: Sendable {
  let request: Request
  let target: RequestTarget
  let holder: TokenHolder
  /// The value of the variable part of the path; empty without one.
  let identifier: String
  /// Closes the connection, for streams whose reader falls behind.
  let closeConnection: @Sendable () -> Void
  /// Whether the token or the browser was not removed in the meantime, for streams.
  let isStillPermitted: @Sendable () -> Bool
}

/// A resource of the server.
struct Endpoint: Sendable {
  typealias Handler = @Sendable (PermittedRequest) async throws -> Response

  let method: String
  /// The path; a final `*` stands for one component.
  let path: String
  let handle: Handler

  init(_ method: String, _ path: String, _ handle: @escaping Handler) {
    (self.method, self.path, self.handle) = (method, path, handle)
  }

  /// The variable part of a path, if the path matches.
  func match(_ path: String) -> String? {
    guard self.path.hasSuffix("*") else { return path == self.path ? "" : nil }
    let prefix = self.path.dropLast()
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.contains("/") ? nil : String(rest)
  }
}

/// The resources of the server. HEAD is answered as GET, without the body.
struct EndpointTable: Sendable {
  let endpoints: [Endpoint]

  /// - Throws: ``Problem`` 404 for an unknown path, and ``MethodNotAllowed`` for a known one with another method.
  func endpoint(_ method: String, _ path: String) throws -> (endpoint: Endpoint, identifier: String) {
    let path = APIVersion.path(path)
    let found = endpoints.compactMap { endpoint in endpoint.match(path).map { (endpoint, $0) } }
    guard !found.isEmpty else { throw Problem.notFound("There is nothing at this path.") }
    let wanted = method == "HEAD" ? "GET" : method
    guard let match = found.first(where: { $0.0.method == wanted }) else {
      throw MethodNotAllowed(allowed: found.map(\.0.method))
    }
    return match
  }
}

/// The failure of a request with a method that the resource does not have.
struct MethodNotAllowed: Error {
  let allowed: [String]

  var response: Response {
    var response = Problem(405, "Method not allowed", "This resource has: \(allow).").response
    response.headers[.allow] = allow
    return response
  }

  private var allow: String { (allowed + (allowed.contains("GET") ? ["HEAD"] : [])).joined(separator: ", ") }
}

extension Response {
  /// A response with a body of a media type.
  init(_ status: Int = 200, _ type: String, _ bytes: [UInt8]) {
    self.init(
      status: .init(code: status), headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// A JSON document; one line of ``JSONLine``.
  static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
    Response(status, "application/json", bytes)
  }
}

/// All resources of the server.
struct DashboardEndpoints: Sendable {
  let table: EndpointTable

  init(options: DashboardOptions, hub: FeedHub, runner: ActivityRunner) {
    let history = HistoryAPI(options: options)
    let status = StatusAPI(history: history, hub: hub)
    let live = LiveAPI(
      history: history, hub: hub, missed: MissedLines(location: options.location, readers: history.readers))
    table = EndpointTable(
      endpoints: Self.pages(PageRenderer(status: status), runner) + AssetEndpoints(options.fonts).endpoints
        + live.endpoints
        + status.endpoints + history.endpoints
        + JournalAPI(history: history).endpoints + MarkAPI(history: history, hub: hub).endpoints
        + ActivityAPI(runner: runner).endpoints
        + SettingsAPI(program: options.program).endpoints + [
          Endpoint("GET", "/openapi.json") { request in
            _ = try QueryParameters(request, [])
            return .json(PackageResources.openapi_json)
          }
        ])
  }

  /// The pages and the actions of their forms.
  private static func pages(_ renderer: PageRenderer, _ runner: ActivityRunner) -> [Endpoint] {
    NowPage(renderer: renderer, runner: runner).endpoints
      + BreathePage(renderer: renderer, runner: runner).endpoints + CalmPage(renderer: renderer).endpoints
      + WidgetPage(renderer: renderer).endpoints + HistoryPage(renderer: renderer).endpoints
      + TrendsPage(renderer: renderer).endpoints + JournalPage(renderer: renderer).endpoints
      + SettingsPage(renderer: renderer).endpoints
      + (renderer.status.history.options.isDeveloper ? DesignPage(renderer: renderer).endpoints : [])
  }
}

/// The version of the API. `/api/v1/...` and `/api/...` are the same resources; a later version would change the second ones only.
enum APIVersion {
  private static let versioned = "/api/v1/"

  /// A path without the version.
  static func path(_ path: String) -> String {
    path.hasPrefix(versioned) ? "/api/" + path.dropFirst(versioned.count) : path
  }
}
