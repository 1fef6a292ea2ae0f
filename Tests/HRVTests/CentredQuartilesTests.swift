import TestSupport
import Testing

@testable import HRV

@Test("Quartiles on demand equal those of the sorted magnitudes", arguments: [1, 3, 60, 200])
func quartilesOnDemand(longestStep: Int) {
  var generator = SeededGenerator(seed: UInt64(longestStep))
  let values = (0..<3000).map { _ in Double(Int.random(in: -40...40, using: &generator)) / 8 }
  var quartiles = CentredQuartiles(capacity: 91)
  var place = 0
  while place < values.count {
    let window = max(0, place - 45)..<min(values.count, place + 46)
    let computed = quartiles.move(to: window) { values[$0] }
    let sorted = values[window].map { abs($0) }.sorted()
    #expect(computed == (quantile(of: sorted, 1), quantile(of: sorted, 3)))
    place += Int.random(in: 0...longestStep, using: &generator) + (longestStep == 1 ? 1 : 0)
  }
}
