extension Double {
  /// The number with exactly `decimals` decimals, rounded half away from zero; "-" if it is not finite.
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

  /// The same, with a sign also for positive numbers.
  package func signed(_ decimals: Int) -> String { (self > 0 ? "+" : "") + fixed(decimals) }
}

/// A duration: `4 s`, `1:23`, `2:05:09`.
package func clockText(seconds: Double) -> String {
  // A damaged history can contain any number.
  let whole = Int64(min(max(0, seconds), 1e15))
  let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
