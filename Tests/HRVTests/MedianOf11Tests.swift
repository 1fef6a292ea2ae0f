import TestSupport
import Testing

@testable import HRV

@Test("The median of 11 numbers is the middle one of the sorted numbers", arguments: [2, 5, 1000])
func medianOf11(distinct: Int) {
  var generator = SeededGenerator(seed: UInt64(distinct))
  for _ in 0..<5000 {
    let numbers = (0..<11).map { _ in Double(Int.random(in: 0..<distinct, using: &generator)) / 8 }
    let median = unsafe numbers.withUnsafeBufferPointer { unsafe MedianOf11.median(from: $0.baseAddress!) }
    #expect(median == numbers.sorted()[5])
  }
}
