import HeartRate
import HummingbirdCore
import Reports

/// The page of the status, without script and style.
struct StatusPage: Sendable {
  let status: StatusAPI

  var endpoints: [Endpoint] { [Endpoint("GET", "/") { try await page($0) }] }

  private func page(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let (profile, report) = try await offload {
      let reader = try status.history.reader()
      let profile = try status.history.profile(query, reader)
      return (profile, try status.report(reader, profile))
    }
    return Response(200, "text/html; charset=utf-8", Array(Self.html(profile, report).utf8))
  }

  static func html(_ profile: String, _ status: StatusReport?) -> String {
    let sentence = status.map(StatusSentence.text) ?? "Nothing was measured yet. Start with: stressmon live"
    let time = status.map { "<p>Measured at <time>\($0.time.rfc3339)</time>.</p>" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>stressmon: \(escaped(profile))</title>
      </head>
      <body>
      <main>
      <h1>\(escaped(profile))</h1>
      <p>\(escaped(sentence))</p>
      \(time)
      </main>
      </body>
      </html>

      """
  }

  /// Text for HTML. Characters that change the direction of text are shown as U+FFFD, so that a name cannot reorder the line.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case _ where [.control, .format].contains(scalar.properties.generalCategory) && scalar != "\n":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
