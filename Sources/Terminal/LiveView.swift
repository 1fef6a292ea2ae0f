/// What of a session is on show, and how: it changes with keys, and never what is measured or kept.
package struct LiveView: Equatable, Sendable {
  /// What the trend covers.
  package enum Span: Equatable, Sendable {
    case fiveMinutes
    case minute

    package var seconds: Int { self == .minute ? 60 : LiveState.trendSeconds }
    package var words: String { self == .minute ? "60 s" : "5 min" }
    package var other: Span { self == .minute ? .fiveMinutes : .minute }

    /// A beat makes a point, and no column is to be empty only because it fell between two beats.
    var mostColumns: Int { self == .minute ? 30 : 90 }
  }

  package var span = Span.fiveMinutes
  /// The keys that do something; empty where none are heard.
  package var keys: [LiveKey] = []

  package init(keys: [LiveKey] = []) { self.keys = keys }
}
