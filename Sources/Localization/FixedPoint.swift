extension Double {
  /// The number with exactly `decimals` digits after the decimal point, halves rounded away from zero; "-" if it is not
  /// finite.
  package func fixed(_ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (self * scale).rounded()
    guard scaled.isFinite, abs(scaled) < 1e18 else { return isFinite ? description : "-" }
    let digits = String(Int64(abs(scaled)))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    let sign = scaled < 0 ? "-" : ""
    return decimals == 0 ? sign + padded : sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// The number as ``fixed(_:)``, with a plus sign if it is positive.
  package func signed(_ decimals: Int) -> String { (self > 0 ? "+" : "") + fixed(decimals) }
}

/// A duration in hours, minutes and seconds: `1:23`, `2:05:09`.
///
/// Negative durations are 0:00. The upper limit is 1e15 s, because a damaged history can contain any number.
package func clockText(seconds: Double) -> String {
  let whole = Int64(min(max(0, seconds), 1e15))
  let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}

/// The parts of a whole in whole percent, which add up to 100 (largest-remainder method): 56, 8 and 36 for 55.6, 7.8 and 36.6.
///
/// Every part is rounded down first; the parts with the largest remainders then get one percent more until the sum is 100.
/// Of equal remainders, the first part comes first. A part of 0 stays 0.
/// - Parameter parts: not negative, in any unit.
/// - Returns: `nil` if the sum of the parts is 0 or not finite.
package func wholePercents(of parts: [Double]) -> [Int]? {
  let sum = parts.reduce(0, +)
  guard sum > 0, sum.isFinite else { return nil }
  let exact = parts.map { 100 * $0 / sum }
  var percents = exact.map { Int($0.rounded(.down)) }
  let byRemainder = parts.indices.sorted { a, b in
    let (first, second) = (exact[a] - Double(percents[a]), exact[b] - Double(percents[b]))
    return first != second ? first > second : a < b
  }
  for place in byRemainder.prefix(max(0, 100 - percents.reduce(0, +))) { percents[place] += 1 }
  return percents
}
