import HeartRate
import TestSupport
import Testing

private let start: UInt64 = 599_616_000_000_000_000

/// The errors of the mapped times in ms for a strap whose clock gains `drift`, with delays of 15 to 80 ms and rare ones of
/// up to 2 s.
private func errors(drift: Double, hours: Double) -> [Double] {
  var (clock, random) = (StrapClock(), SeededGenerator(seed: 5))
  return stride(from: 0, to: hours * 3600, by: 1.44).map { seconds in
    let isLate = Int.random(in: 0..<20, using: &random) == 0
    let delay = 0.015 + Double.random(in: 0...(isLate ? 2 : 0.065), using: &random)
    let strap = start + UInt64(seconds * (1 + drift) * 1e9)
    let mapped = clock.update(timestamp: strap, arrival: SessionTime(seconds: seconds + delay)!)
    return (mapped.seconds - seconds) * 1000
  }
}

@Test(arguments: [0, 50e-6, -50e-6, 1e-3, -1e-3])
func strapTimeIsMappedWithin100MillisecondsDespiteDrift(_ drift: Double) {
  let late = errors(drift: drift, hours: 2).dropFirst(300)
  #expect(late.allSatisfy { (-100...100).contains($0) }, "\(late.min()!)...\(late.max()!) ms")
}

@Test func restartedStrapClockResetsTheEstimate() {
  var clock = StrapClock()
  _ = clock.update(timestamp: start + 5_000_000_000_000, arrival: SessionTime(seconds: 1)!)
  let mapped = clock.update(timestamp: start, arrival: SessionTime(seconds: 3)!)
  #expect(mapped == SessionTime(seconds: 3))
}

@Test func mappedTimeIsNeverAfterTheArrival() {
  var (clock, random) = (StrapClock(), SeededGenerator(seed: 8))
  for _ in 0..<5000 {
    let arrival = SessionTime(seconds: Double.random(in: 0...1e6, using: &random))!
    #expect(clock.update(timestamp: .random(in: 0 ... .max, using: &random), arrival: arrival) <= arrival)
  }
}
