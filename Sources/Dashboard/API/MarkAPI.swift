import HummingbirdCore
import JSONLines
import LiveFeed

/// Marks the current time of the live session of a profile.
struct MarkAPI: Sendable {
  let history: HistoryAPI
  let hub: FeedHub

  static let path = "/api/marks"

  var endpoints: [Endpoint] { [Endpoint("POST", Self.path) { try await add($0) }] }

  private func add(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let body = try await JSONBody(request, limit: FeedRequest.longestLine)
    let note = FeedRequest.normalized(try body.text("note") ?? "")
    guard !FeedRequest.isTooLong(note: note) else {
      throw Problem.badParameter("note", expected: "text of at most \(FeedRequest.longestNote) characters")
    }
    try await history.writers.run { try hub.mark(history.profile(query, history.reader()), note: note) }
    var line = JSONLine()
    line.line { $0.put("note", note.isEmpty ? nil : note) }
    return .json(line.bytes, status: 201)
  }
}
