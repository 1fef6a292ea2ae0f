import HRV
import HeartRate
package import LiveSession
import Localization
import Stress

extension Confidence {
  /// Below this confidence, the face is not described.
  static let minimumForFace = 0.5
}

extension LiveMeasurement {
  /// `♣ 12 (0-31) Relaxed`. In place of it, `moving` if acceleration shows it, `moving?` during exertion, and `irregular
  /// rhythm`. Requires a stress value.
  func stressText(_ style: TerminalStyle, showsRange: Bool = true) -> String? {
    stress.map { stress in
      suspension.map { style.localized($0.word) } ?? style.stress(stress, showsRange ? range : nil)
    }
  }

  /// The reasons why confidence is below 1, lowest factor first: `few normal beats (0.73)`, `14 of 60 s collected`.
  func reasons(_ style: TerminalStyle) -> [String] {
    doubts.map { factor, value in
      let reason = reason(factor, style)
      return Self.isCollection(factor) ? reason : "\(reason) (\(value.fixed(2)))"
    }
  }

  /// The reason that lowers confidence most: `few normal beats`.
  func mainReason(_ style: TerminalStyle) -> String? {
    doubts.first.map { reason($0.factor, style) }
  }

  /// The factors that lower the confidence visibly, the lowest first. A window that is not nearly full is one of them even if the
  /// missing data hardly matter, before those with little effect.
  var doubts: [(factor: Confidence.Factor, value: Double)] {
    guard let normalSeconds, let window, normalSeconds < 0.9 * window, let value = factors[.lostData] else {
      return factors.doubts
    }
    let others = factors.doubts.filter { $0.factor != .lostData }
    let limit = min(value, 0.9)
    return others.filter { $0.value < limit } + [(.lostData, value)] + others.filter { $0.value >= limit }
  }

  private func reason(_ factor: Confidence.Factor, _ style: TerminalStyle) -> String {
    guard Self.isCollection(factor), let normalSeconds, let window else {
      return style.localized(Phrase(known: factor.reason))
    }
    return Self.collected(normalSeconds, of: window, style)
  }

  private static func isCollection(_ factor: Confidence.Factor) -> Bool {
    factor == .lostData || factor == .windowFill
  }

  /// `14 of 60 s collected`
  package static func collected(_ covered: Double, of seconds: Double, _ style: TerminalStyle = .plain)
    -> String
  {
    let whole = min(covered, seconds).rounded(.down).fixed(0)
    return style.localized("\(whole) of \(seconds.fixed(0)) s collected")
  }

  /// `collecting: 14 of 30 s`, until there are enough data for a stress value, unless more data would not give one.
  func collecting(_ style: TerminalStyle) -> String? {
    switch missing {
    case .seconds(let collected, let required): Self.collecting(collected, of: required, style)
    case .beats(let found, let needed): style.localized("collecting: \(found) of \(needed) normal beats")
    case nil: nil
    }
  }

  /// What a stress value still requires.
  enum Missing {
    case seconds(Double, of: Double)
    case beats(Int, of: Int)
  }

  /// Absent with a stress value, and if more data would not give one.
  var missing: Missing? {
    guard stress == nil, sensorClass?.warning == nil, let collected, let requiredSeconds else { return nil }
    guard collected >= requiredSeconds else { return .seconds(collected, of: requiredSeconds) }
    let (found, needed) = (normalBeats ?? 0, StressMeasurement.requiredBeats)
    return found < needed ? .beats(found, of: needed) : nil
  }

  static func collecting(_ covered: Double, of required: Double, _ style: TerminalStyle) -> String {
    style.localized("collecting: \(covered.rounded(.down).fixed(0)) of \(required.fixed(0)) s")
  }
}
