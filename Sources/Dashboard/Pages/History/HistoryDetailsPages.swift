import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports

/// The pages of one measurement and of one session, and the export of a session.
struct HistoryDetailsPages: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/history/measurements/*") { try await measurement($0) },
      Endpoint("GET", "/history/sessions/*") { try await session($0) },
      Endpoint("GET", "/history/export/*") { try await export($0) },
    ]
  }

  private func measurement(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request) { context in
      guard let id = Int64(request.identifier), id > 0, let reader = context.reader,
        let details = try MeasurementDetails(id, of: context.profile, reader)
      else {
        return Self.missing(context, context.localized("This measurement does not exist, or it was deleted."))
      }
      let view = try MeasurementView(details, reader, context)
      return page(context, context.localized("Measurement"), details.measurement.time, view.html)
    }
  }

  private func session(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request) { context in
      guard let reader = context.reader, let session = try Self.session(request.identifier, context) else {
        return Self.missing(context, context.localized("This session does not exist, or it was deleted."))
      }
      let view = SessionDetailsView(
        details: try SessionDetails(session, reader), reader: reader, context: context)
      return page(context, context.localized("Session"), session.info.started, try view.html)
    }
  }

  /// A page whose title also contains the time, because the titles of two tabs must differ.
  private func page(_ context: PageContext, _ name: String, _ time: WallTime, _ content: HTML) -> Page {
    var page = Page(.history, title: "\(name) \(context.text(time))", content: content)
    let day = context.language.date(LocalCalendar.system.dayText(time))
    page.heading = "\(name), \(day), \(LocalCalendar.system.clockText(time).prefix(5))"
    return page
  }

  private func export(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile", "format"])
    guard let format: ExportDownload.Format = try query.word("format") else {
      throw Problem.badParameter(
        "format", expected: "one of \(ExportDownload.Format.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    let history = renderer.status.history
    let found = try await history.readers.run {
      let reader = try history.reader()
      let profile = try history.profile(query, reader)
      return try SessionID(request.identifier).flatMap {
        try reader?.session(beginningWith: $0.text, of: profile)
      }
    }
    guard let info = found?.info else { throw Problem.notFound("There is no session with this ID.") }
    return try await history.download.response(
      ["--format", format.rawValue, "--session", info.id.text, "--profile=\(info.profile)"],
      name: "\(info.id.text).\(format.fileExtension)", to: request)
  }

  /// The session with this complete ID, if there is one.
  static func session(_ identifier: String, _ context: PageContext) throws -> StoredSession? {
    guard let id = SessionID(identifier) else { return nil }
    return try context.reader?.session(beginningWith: id.text, of: context.profile)
  }

  static func missing(_ context: PageContext, _ reason: String) -> Page {
    let content = EmptyState(
      context.localized("Not found"), advice: reason,
      action: context.button("/history", context.localized("Back to the history"))
    ).html
    return Page(.history, title: context.localized("Not found"), status: 404, content: content)
  }
}
