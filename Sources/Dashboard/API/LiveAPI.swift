import HTTPTypes
import HeartRate
import History
import HummingbirdCore
import JSONLines
import LiveFeed
import LiveSession
import NIOCore
import Platform
import Reports

/// The live values: the heart rate as text or JSON, the stream of events, and the metrics of Prometheus.
struct LiveAPI: Sendable {
  let history: HistoryAPI
  let hub: FeedHub
  let missed: MissedLines

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/hr") { try await heartRate($0) },
      Endpoint("GET", "/metrics") { try metrics($0) },
      Endpoint("GET", "/events") { try await events($0) },
    ]
  }

  private func heartRate(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let profile =
      try query.text("profile") == nil
      ? nil : await history.readers.run { try history.profile(query, history.reader()) }
    let now = hub.now
    let session = hub.sessions.first { $0.isLive(at: now) && (profile == nil || $0.profile == profile) }
    guard let heart = session?.heartRate else {
      return Response(status: .serviceUnavailable)
    }
    let bpm = Int(heart.value.rounded())
    guard request.request.headers[.accept]?.contains("application/json") ?? false else {
      return Response(200, "text/plain; charset=utf-8", Array("\(bpm)".utf8))
    }
    var line = JSONLine()
    line.line { line in
      line.put("hr_bpm", bpm)
      line.put("time", heart.time)
      line.put("profile", session?.profile)
      line.put("bpm", bpm)
      line.put("measured_at", heart.time)
    }
    return .json(line.bytes)
  }

  private func metrics(_ request: PermittedRequest) throws -> Response {
    _ = try QueryParameters(request, [])
    let now = hub.now
    let values = hub.sessions.map { LiveValues($0, isLive: $0.isLive(at: now)) }
    let text = PrometheusText(values, version: programVersion).text
    return Response(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
  }

  private func events(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["last_event_id"])
    let text = request.request.headers[SecurityHeaders.name("Last-Event-ID")] ?? query.text("last_event_id")
    if let text, !text.isEmpty, EventCursor(text) == nil {
      throw Problem.badParameter("Last-Event-ID", expected: "the ID of an event of this server")
    }
    let cursor = text.flatMap(EventCursor.init)
    guard
      let subscription = hub.subscribe(after: cursor, by: request.holder, onEnd: request.closeConnection)
    else {
      throw Problem(
        503, "Too many readers", "The maximum number of event streams is open. Close one.", retryAfter: 5)
    }
    let isHead = request.request.method == .head
    if isHead { return Response(status: .ok, headers: [.contentType: "text/event-stream"]) }
    let body = ResponseBody { writer in
      var stream = EventStream(subscription)
      try await writer.write(ByteBuffer(bytes: stream.begin()))
      // A reader without a position receives lines from now on.
      let earlier = cursor == nil ? [] : await missed.lines(before: subscription, now: SystemClock.wall)
      for line in earlier + subscription.recent {
        try await writer.write(ByteBuffer(bytes: stream.event(line)))
      }
      for await item in subscription.items {
        guard request.isStillPermitted() else { break }
        try await writer.write(ByteBuffer(bytes: stream.text(item)))
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }
}
