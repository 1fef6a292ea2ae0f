/// The newest value as text: only the number; empty without a live value.
package struct NumberEncoder: OutletEncoder {
  /// The value that a file contains.
  package enum Value: String, CaseIterable, Sendable {
    /// Heart rate in bpm.
    case hr
    /// 0 to 100.
    case stress
    /// In ms.
    case rmssd
  }

  private let value: Value
  private var text: String?

  package init(_ value: Value) { self.value = value }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [String] {
    guard case .values(let values) = event.event else { return [] }
    let new = number(values).map(String.init) ?? ""
    guard new != text else { return [] }
    text = new
    return [new]
  }

  /// The current value; empties a file that another process left.
  package mutating func connected(at now: Int64) -> [String] { [text ?? ""] }

  private func number(_ values: LiveValues) -> Int? {
    switch value {
    case .hr: values.heartRate
    case .stress: values.stress.map { Int($0.rounded()) }
    case .rmssd: values.rmssd.map { Int($0.rounded()) }
    }
  }
}
