import ArgumentParser

/// A time span: a number with the suffix s, m, h or d.
package struct SpanArgument: ExpressibleByArgument, Equatable, Sendable {
  package let seconds: Int

  package init?(argument: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()), count > 0,
      count <= 100_000_000
    else { return nil }
    seconds = count * unit
  }
}

/// A number of bytes, with the suffix K, M, G or T for multiples of 1024 as in the options of NATS.
package struct SizeArgument: ExpressibleByArgument, Equatable, Sendable {
  package let bytes: Int64

  package init?(argument: String) {
    let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument : String(argument.dropLast())
    guard let count = Int64(digits), count > 0 else { return nil }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }
}
