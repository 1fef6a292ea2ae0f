import TestSupport
import Testing

@testable import HRV

@Test("A ring buffer is a first-in, first-out queue", arguments: 0..<10)
func queueOrder(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var ring = RingBuffer(filler: 0)
  var queue: [Int] = []
  for step in 0..<5000 {
    // The queue grows in the first half and shrinks in the second.
    if queue.isEmpty || Int.random(in: 0..<100, using: &random) < (step < 2500 ? 65 : 40) {
      if ring.isFull { ring.grow() }
      ring.append(step)
      queue.append(step)
    } else {
      ring.removeFirst()
      queue.removeFirst()
    }
    #expect(ring.count == queue.count)
    if let first = queue.first { #expect(ring[0] == first && ring.last == queue.last) }
  }
  #expect((0..<ring.count).map { ring[$0] } == queue)
}

@Test("A copy of a ring buffer is independent of the original") func independentCopy() {
  var ring = RingBuffer(filler: 0)
  ring.append(1)
  var copy = ring
  copy.append(2)
  copy.removeFirst()
  #expect(ring[0] == 1 && ring.count == 1 && copy[0] == 2 && copy.count == 1)
}

@Test("SDNN is accurate for sums that exceed 128 bits when squared") func largeSums() throws {
  // Three million intervals of a day, alternating with zero.
  var sums = NNSums()
  for _ in 0..<3_000_000 {
    sums.add(86_400 * 80_000_000)
    sums.add(0)
  }
  let sdnn = try #require(sums.sdnn)
  #expect(abs(sdnn / 43_200_000 - 1) < 1e-6)
}
