import HTTPTypes

/// The headers of every response.
enum SecurityHeaders {
  static let contentSecurityPolicy = policy(style: "'self'")
  /// The policy of the widget: OBS adds the user's style as an element.
  static let widgetPolicy = policy(style: "'self' 'unsafe-inline'")

  private static func policy(style: String) -> String {
    [
      "default-src 'none'", "script-src 'self'", "style-src \(style)", "img-src 'self'", "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }

  static let all: [(HTTPField.Name, String)] = [
    (.cacheControl, "no-store"), (.contentSecurityPolicy, contentSecurityPolicy),
    (.xContentTypeOptions, "nosniff"), (name("Referrer-Policy"), "no-referrer"),
    (name("Cross-Origin-Resource-Policy"), "same-origin"),
    (name("Cross-Origin-Opener-Policy"), "same-origin"),
    (name("X-Frame-Options"), "DENY"),
  ]

  /// A name that swift-http-types does not define.
  static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a header name") }
    return name
  }

  /// Adds the headers that a response does not have. A response without private data, such as a style sheet, has its own
  /// Cache-Control, and the widget its own policy.
  static func add(to headers: inout HTTPFields) {
    for (name, value) in all where headers[name] == nil { headers[name] = value }
  }
}
