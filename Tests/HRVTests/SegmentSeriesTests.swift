import TestSupport
import Testing

@testable import HRV

@Test(
  "Running medians equal those of the sorted neighbours, also near both ends",
  arguments: [1, 2, 5, 6, 10, 11, 12, 255, 256, 512, 513, 1200])
func runningMedians(count: Int) {
  var generator = SeededGenerator(seed: UInt64(count))
  let lengths = (0..<count).map { _ in Double(Int.random(in: 60...90, using: &generator)) / 100 }
  var series = SegmentSeries()
  for (index, length) in lengths.enumerated() {
    series.append(length)
    if index >= 50 { expectMedian(of: index - 50, in: &series, lengths) }
  }
  series.complete()
  for index in max(0, count - 50)..<count { expectMedian(of: index, in: &series, lengths) }
}

private func expectMedian(of index: Int, in series: inout SegmentSeries, _ lengths: [Double]) {
  series.prepareMedians(through: index)
  let neighbours = lengths[max(0, index - 5)..<min(lengths.count, index + 6)].sorted()
  #expect(series.median(index) == quantile(of: neighbours, 2))
  #expect(series.length(index) == lengths[index])
  #expect(series.difference(index) == (index > 0 ? lengths[index] - lengths[index - 1] : 0))
}

@Test("Small differences are counted by their magnitude") func smallDifferences() {
  var series = SegmentSeries()
  for length in [1, 1.5, 1.25, 1.25, 2] { series.append(length) }
  #expect(series.countDifferences(in: 0..<5, times: 2, below: 0.5) == 2)
  #expect(series.countDifferences(in: 0..<5, times: 2, below: 0.75) == 3)
  #expect(series.countDifferences(in: 1..<3, times: 0, below: 0) == 0)
}
