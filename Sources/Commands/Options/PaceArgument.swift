import ArgumentParser
import HeartRate

/// The speed of stored or simulated time: `1`, a multiple such as `60`, `x60` or `0.5`, or `max`.
struct PaceArgument: ExpressibleByArgument, Equatable, Sendable {
  var pace: Pace

  init(_ pace: Pace) { self.pace = pace }

  init?(argument: String) {
    let text = argument.lowercased()
    guard text != "max" else {
      pace = .maximum
      return
    }
    let bare = text.hasPrefix("x") ? text.dropFirst() : text.hasSuffix("x") ? text.dropLast() : text[...]
    guard let factor = Double(bare), factor >= 0.01, factor <= 1e6 else { return nil }
    pace = .times(factor)
  }

  var defaultValueDescription: String {
    switch pace {
    case .maximum: "max"
    case .times(let factor): factor == factor.rounded() ? "\(Int64(factor))" : "\(factor)"
    }
  }
}
