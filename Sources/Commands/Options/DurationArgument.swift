import ArgumentParser
import Localization

/// A duration on the command line: `90`, `90s`, `1.5m`, `2h` or `1h30m`. A number without a suffix is in seconds.
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

/// A duration for which a number without a suffix is in minutes: `5`, `0.5`, `5m`, `90s`, `1h`.
struct MinutesArgument: ExpressibleByArgument, Equatable, Sendable {
  var duration: Duration

  init?(argument: String) {
    let isNumber = argument.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let duration = DurationArgument(argument: isNumber ? argument + "m" : argument)?.duration else {
      return nil
    }
    self.duration = duration
  }
}

extension Duration {
  /// Checks the value of an option.
  /// - Throws: `ValidationError` that names the option, the value, the limits and an example.
  func require(
    _ range: ClosedRange<Duration>, _ option: String, example: String, because reason: Phrase? = nil
  ) throws(ValidationError) {
    guard !range.contains(self) else { return }
    let (low, high) = (range.lowerBound.shortText, range.upperBound.shortText)
    throw .outOfRange(
      "\(option) \(shortText)",
      reason.map { Phrase("\(low) to \(high), because \($0)") } ?? Phrase("\(low) to \(high)"),
      example: "\(option) \(example)")
  }

  /// Checks the value of an option that has no upper limit.
  func requireAtLeast(_ minimum: Duration, _ option: String, example: String) throws(ValidationError) {
    guard self < minimum else { return }
    throw .outOfRange("\(option) \(shortText)", atLeast: minimum.shortText, example: "\(option) \(example)")
  }
}

extension Duration {
  /// `60s`, `5m`, `1h`, `1d`: the largest unit that leaves a whole number.
  var shortText: String {
    let (seconds, attoseconds) = components
    guard attoseconds == 0 else { return "\(Double(seconds) + Double(attoseconds) / 1e18)s" }
    if seconds > 0, seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    if seconds > 0, seconds % 60 == 0, seconds > 60 { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
