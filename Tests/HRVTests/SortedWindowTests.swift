import TestSupport
import Testing

@testable import HRV

@Test("The quantiles of a sliding window equal those of its sorted numbers", arguments: [1, 2, 11, 91])
func slidingQuantiles(capacity: Int) {
  var generator = SeededGenerator(seed: UInt64(capacity))
  var window = SortedWindow(capacity: capacity)
  var numbers: [Double] = []
  for _ in 0..<3000 {
    let new = numbers.count < capacity && Bool.random(using: &generator) || numbers.isEmpty
    let both = Bool.random(using: &generator)
    let coming = new || both ? Double(Int.random(in: 0...20, using: &generator)) / 8 : nil
    let leaving = new ? nil : numbers.randomElement(using: &generator)
    window.slide(in: coming, out: leaving)
    if let leaving, let place = numbers.firstIndex(of: leaving) { numbers.remove(at: place) }
    if let coming { numbers.append(coming) }
    numbers.sort()
    #expect(window.count == numbers.count)
    guard !numbers.isEmpty else { continue }
    for quarters in 0...4 { #expect(window.quantile(quarters: quarters) == quantile(of: numbers, quarters)) }
  }
}

@Test("Quantiles are interpolated linearly between ranks") func interpolatedQuantiles() {
  var window = SortedWindow(capacity: 4)
  for number in [4.0, 1, 2, 8] { window.slide(in: number, out: nil) }
  #expect((0...4).map { window.quantile(quarters: $0) } == [1, 1.75, 3, 5, 8])
}

@Test(
  "The median of an even number of values is the mean of the two middle values",
  arguments: [([], nil), ([3], 3), ([5, 1], 3), ([9, 1, 2], 2), ([4, 1, 8, 2], 3)] as [([Double], Double?)])
func medians(values: [Double], median: Double?) {
  #expect(values.median == median)
}

func quantile(of sorted: [Double], _ quarters: Int) -> Double {
  let position = Double(sorted.count - 1) * Double(quarters) / 4
  let low = Int(position)
  guard low + 1 < sorted.count, position > Double(low) else { return sorted[low] }
  return sorted[low] + (sorted[low + 1] - sorted[low]) * (position - Double(low))
}
