import ArgumentParser

/// A length of time as people type it: `90`, `90s`, `1.5m`, `2h`, also `1h30m`. A bare number is in seconds.
struct DurationArgument: ExpressibleByArgument, Equatable, Sendable {
  var duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    var rest = argument.lowercased()[...]
    var total = Duration.zero
    var hasUnits = false
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits), number.isFinite, number >= 0 else { return nil }
      let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard let seconds = Self.seconds[String(unit)], number * seconds < 1e9 else { return nil }
      total += .seconds(number * seconds)
      rest = rest.dropFirst(digits.count + unit.count)
      // `1h30` may be meant either way.
      if unit.isEmpty, hasUnits || !rest.isEmpty { return nil }
      hasUnits = true
    }
    duration = total
  }

  private static let seconds: [String: Double] = [
    "": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "ms": 0.001, "d": 86_400,
  ]

  var defaultValueDescription: String { duration.shortText }
}

extension Duration {
  /// `60s`, `5m`, `1h`: the largest unit that leaves a whole number.
  var shortText: String {
    let (seconds, attoseconds) = components
    guard attoseconds == 0 else { return "\(Double(seconds) + Double(attoseconds) / 1e18)s" }
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    if seconds > 0, seconds % 60 == 0, seconds > 60 { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
