import HeartRate
import HummingbirdCore
import Reports

/// The page of the current status.
struct NowPage: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] { [Endpoint("GET", "/") { try await page($0) }] }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request) { context in
      let report = try renderer.status.report(context.reader, context.profile)
      return Page(.now, title: context.profile, content: Self.content(report))
    }
  }

  static func content(_ status: StatusReport?) -> HTML {
    let sentence = status.map(StatusSentence.text) ?? "Nothing was measured yet. Start with: stressmon live"
    let time = status.map { "<p>Measured at <time>\($0.time.rfc3339)</time>.</p>" as HTML }
    return "<p>\(sentence)</p>\n\(time)"
  }
}
