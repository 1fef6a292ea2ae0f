package import LiveSession
import Platform

/// The content of a file: one value, a text with values, or metrics.
package struct FileEncoder: OutletEncoder {
  package enum Content: Equatable, Sendable {
    /// Only the value, without text around it. Empty without a live value.
    case value(ValueName)
    /// Empty without live values.
    case text(ValueTemplate)
    /// The text format of Prometheus, for the textfile collector of node_exporter.
    case metrics
  }

  private let content: Content
  private var values = LiveValues.withdrawn
  private var written: String?

  package init(_ content: Content) { self.content = content }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [String] {
    guard case .values(let new) = event.event else { return [] }
    values = new
    guard text != written else { return [] }
    return connected(at: now)
  }

  /// The current text; replaces one that another process left.
  package mutating func connected(at now: Int64) -> [String] {
    written = text
    return [text]
  }

  private var text: String {
    switch content {
    case .value(let name): values.isLive ? values.text(name) ?? "" : ""
    case .text(let template): values.isLive ? template.text(of: values) : ""
    case .metrics: PrometheusText([values], version: programVersion).text
    }
  }
}
