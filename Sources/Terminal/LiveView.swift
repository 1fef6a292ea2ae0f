/// The settings of the live screen, changed by keys. They do not affect what is measured or stored.
package struct LiveView: Equatable, Sendable {
  /// The time that the trend covers.
  package enum Span: Equatable, Sendable {
    case fiveMinutes
    case minute

    package var seconds: Int { self == .minute ? 60 : LiveState.trendSeconds }
    package var words: String { self == .minute ? "60 s" : "5 min" }
    package var other: Span { self == .minute ? .fiveMinutes : .minute }

    /// Maximum number of columns, so that no column is empty only because it lies between two beats.
    var maximumColumns: Int { self == .minute ? 30 : 90 }
  }

  package var span = Span.fiveMinutes
  /// The keys with an action.
  package var keys: [LiveKey] = []

  package init(keys: [LiveKey] = []) { self.keys = keys }
}
