import HTTPTypes
import HummingbirdCore
import JSONLines

/// Starts and ends the live session of the server.
struct SessionControlAPI: Sendable {
  let runner: LiveSessionRunner

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/api/live") { try state($0) },
      Endpoint("POST", "/api/live") { try await start($0) },
      Endpoint("DELETE", "/api/live") { try await stop($0) },
    ]
  }

  private func state(_ request: PermittedRequest) throws -> Response {
    _ = try QueryParameters(request, [])
    return .json(document)
  }

  private func start(_ request: PermittedRequest) async throws -> Response {
    _ = try QueryParameters(request, [])
    let isSimulated = try await JSONBody(request, limit: 1024).boolean("simulate") ?? false
    guard runner.start(isSimulated: isSimulated) else {
      throw Problem(409, "Session is running", "End it first with: DELETE /api/live")
    }
    return .json(document, status: 202)
  }

  private func stop(_ request: PermittedRequest) async throws -> Response {
    _ = try QueryParameters(request, [])
    guard await runner.stop() else {
      throw Problem(409, "No session is running", "Start one with: POST /api/live")
    }
    return .json(document)
  }

  /// Whether a session of this server is running, and why the latest one failed.
  private var document: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("running", runner.isRunning)
      line.put("failure", runner.failure)
    }
    return line.bytes
  }
}
