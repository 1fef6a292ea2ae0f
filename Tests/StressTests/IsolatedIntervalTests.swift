import HRV
import HeartRate
import TestSupport
import Testing

@testable import Stress

/// The class after each interval.
private func classes(_ intervals: [RRInterval]) -> [SensorClass?] {
  var classifier = SensorClassifier()
  var time = SessionTime.zero
  return intervals.map { rr in
    time = time + rr
    classifier.append(Beat(end: time, rr: rr, verdict: .normal, followsBreak: time.ticks == rr.ticks))
    return classifier.sensorClass
  }
}

private func mean(of count: Int, _ rr: [RRInterval]) -> [RRInterval] {
  (count..<rr.count).map { end in
    let sum = rr[(end - count + 1)...end].reduce(0) { $0 + Double($1.gattUnits) }
    return RRInterval(gattUnits: UInt16((sum / Double(count)).rounded()))
  }
}

@Test("A single interval proves beat-to-beat data for hours, and two successive ones do not")
func isolatedInterval() {
  // A mean of five intervals, which is recognised.
  let averaged = mean(of: 5, PacedHeart(noise: 25).intervals(2000, seed: 3))
  #expect(classes(averaged).last == .smoothed)
  for (inserted, isProved) in [([500.0], true), ([1500], true), ([1500, 1450], false), ([1010], false)] {
    let found = inserted.compactMap { RRInterval(milliseconds: $0) }
    let last = classes(Array(averaged[..<100]) + found + averaged[100...]).last
    #expect(last == (isProved ? .beatToBeat : .smoothed), "\(inserted)")
  }
}

@Test("The proof expires", arguments: [0, 1]) func expiry(excess: Int) {
  var statistics = SmoothingStatistics()
  statistics.append(40_000_000, after: 72_000_000)
  statistics.append(72_000_000, after: 40_000_000)
  for _ in 0..<SmoothingStatistics.memory + excess { statistics.append(72_000_000, after: 72_080_000) }
  #expect(statistics.isProved == (excess == 0))
}

@Test("Missing data before the next interval prevent the proof") func missingData() {
  var statistics = SmoothingStatistics()
  statistics.append(40_000_000, after: 72_000_000)
  statistics.interrupt()
  statistics.append(72_000_000, after: 40_000_000)
  #expect(!statistics.isProved)
}
