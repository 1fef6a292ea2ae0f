/// The parts of a whole in whole percent, which add up to 100 (largest-remainder method): 56, 8 and 36 for 55.6, 7.8 and 36.6.
///
/// Every part is rounded down first; the parts with the largest remainders then get one percent more until the sum is 100.
/// Of equal remainders, the first part comes first. A part of 0 stays 0.
/// - Parameter parts: not negative, in any unit.
/// - Returns: nil if the sum of the parts is 0 or not finite.
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
