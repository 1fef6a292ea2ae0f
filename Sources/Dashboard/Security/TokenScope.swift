/// What a token permits.
package enum TokenScope: String, Sendable, CaseIterable {
  /// The current heart rate: `/hr`.
  case hr
  /// Values for Prometheus: `/metrics`.
  case metrics
  /// The overlay and its live values: `/widget`, `/hr`, `/events`.
  case widget
  /// Everything that can be read.
  case read
  /// Everything: the bearer token of a start of the server, and admitted browsers. No permanent token has this scope.
  case full

  /// The scopes that a stored token can have.
  package static let storable: [TokenScope] = [.hr, .metrics, .widget, .read]

  /// Whether a request is permitted.
  package func permits(path: String, isSafe: Bool) -> Bool {
    switch self {
    case .full: true
    case .read: isSafe
    case .hr: isSafe && path == "/hr"
    case .metrics: isSafe && path == "/metrics"
    case .widget: isSafe && ["/widget", "/hr", "/events"].contains(path)
    }
  }
}
