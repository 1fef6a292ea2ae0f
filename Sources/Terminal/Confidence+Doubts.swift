import HRV
import HeartRate
import LiveSession
import Localization
package import Stress

extension Confidence {
  /// Below this confidence, the face is not described.
  static let minimumForFace = 0.5
}

extension StressMeasurement {
  /// The reasons why confidence is below 1, lowest factor first: `few normal beats (0.73)`, `14 of 60 s collected`.
  func reasons(_ style: TerminalStyle) -> [String] {
    confidence.doubts.map { factor, value in
      let reason = reason(factor, style)
      return Self.isCollection(factor) ? reason : "\(reason) (\(value.fixed(2)))"
    }
  }

  /// The reason that lowers confidence most: `few normal beats`.
  func mainReason(_ style: TerminalStyle) -> String? {
    confidence.doubts.first.map { reason($0.factor, style) }
  }

  private func reason(_ factor: Confidence.Factor, _ style: TerminalStyle) -> String {
    Self.isCollection(factor)
      ? Self.collected(normalSeconds, of: window, style) : style.localized(Phrase(known: factor.reason))
  }

  private static func isCollection(_ factor: Confidence.Factor) -> Bool {
    factor == .lostData || factor == .windowFill
  }

  /// Sum of the normal RR intervals in the window, in seconds; confidence depends on it.
  var normalSeconds: Double { Double(nn.totalTicks) / Double(RRInterval.ticksPerSecond) }

  /// `14 of 60 s collected`
  package static func collected(_ covered: Double, of seconds: Double, _ style: TerminalStyle = .plain)
    -> String
  {
    let whole = min(covered, seconds).rounded(.down).fixed(0)
    return style.localized("\(whole) of \(seconds.fixed(0)) s collected")
  }

  /// `collecting: 14 of 30 s`, until there are enough data for a stress value, unless more data would not give one.
  func collecting(_ style: TerminalStyle) -> String? {
    guard score == nil, sensorClass?.warning == nil else { return nil }
    let (covered, required) = (coveredSeconds, requiredSeconds)
    guard covered >= required else {
      return Self.collecting(covered, of: required, style)
    }
    let (found, needed) = (nn.count, StressMeasurement.requiredBeats)
    return found < needed ? style.localized("collecting: \(found) of \(needed) normal beats") : nil
  }

  static func collecting(_ covered: Double, of required: Double, _ style: TerminalStyle) -> String {
    style.localized("collecting: \(covered.rounded(.down).fixed(0)) of \(required.fixed(0)) s")
  }
}
