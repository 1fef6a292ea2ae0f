import HeartRate
import TestSupport
import Testing

@Test("Intervals in 1/1024 s and in 0.0001 ms are exact") func exactIntervals() {
  #expect(RRInterval(gattUnits: 1).ticks == 78_125)
  #expect(RRInterval(gattUnits: 1024).ticks == RRInterval.ticksPerSecond)
  #expect(RRInterval(milliseconds: 0.0001)?.ticks == 8)
  #expect(RRInterval(milliseconds: 813.8889)?.ticks == 65_111_112)
  #expect(RRInterval(gattUnits: 1069).milliseconds == 1043.9453125)
}

@Test("Every interval in 1/1024 s survives conversion to milliseconds and back")
func roundTripThroughMilliseconds() {
  for units in UInt16.min...UInt16.max {
    let rr = RRInterval(gattUnits: units)
    #expect(rr.gattUnits == units)
    #expect(RRInterval(milliseconds: rr.milliseconds) == rr)
  }
}

@Test(
  "Milliseconds are rounded to the nearest tick, or rejected out of range",
  arguments: [
    (0, 0), (-0.0, 0), (0.000_006, 0), (0.000_006_3, 1), (0.000_018, 1), (0.000_019, 2),
    (86_399_999.9999, 6_911_999_999_992), (86_400_000, nil), (-0.0001, nil), (.infinity, nil),
    (-.infinity, nil), (.nan, nil), (1e300, nil),
  ] as [(Double, Int64?)])
func roundingAndBounds(milliseconds: Double, ticks: Int64?) {
  #expect(RRInterval(milliseconds: milliseconds)?.ticks == ticks)
}

@Test("Ticks out of range saturate") func saturation() {
  let day = 86_400 * RRInterval.ticksPerSecond
  let farthest = 1_000_000_000 * RRInterval.ticksPerSecond
  #expect(RRInterval(ticks: .max).ticks == day)
  #expect(RRInterval(ticks: -1).ticks == 0)
  #expect(RRInterval(ticks: .max).gattUnits == 65_535)
  #expect(SessionTime(ticks: .max).ticks == farthest)
  #expect(SessionTime(ticks: .min).ticks == -farthest)
  #expect((SessionTime(ticks: .max) + RRInterval(ticks: .max)).ticks == farthest)
  #expect((SessionTime(ticks: .min) - RRInterval(ticks: .max)).ticks == -farthest)
  #expect(SessionTime(nanoseconds: .max).ticks == farthest)
  #expect(Duration.seconds(Int64.max).ticks == farthest)
  #expect(Duration.seconds(Int64.min).ticks == -farthest)
}

@Test(
  "Nanoseconds are rounded towards zero to ticks of 12.5 ns",
  arguments: [
    (0, 0), (12, 0), (13, 1), (24, 1), (25, 2), (37, 2), (38, 3), (1_000_000_000, 80_000_000),
    (1_000_000_012, 80_000_000), (86_400_000_000_000, 6_912_000_000_000), (-12, 0), (-13, -1),
  ] as [(Int64, Int64)])
func nanoseconds(nanoseconds: Int64, ticks: Int64) {
  #expect(SessionTime(nanoseconds: nanoseconds).ticks == ticks)
}

@Test(
  "Seconds that are negative, non-finite or too large give nil",
  arguments: [
    (0, 0), (0.000_000_012_5, 1), (1, 80_000_000), (1e9, 80_000_000_000_000_000), (1.1e9, nil), (-1e-9, nil),
    (.nan, nil), (.infinity, nil),
  ] as [(Double, Int64?)])
func sessionSeconds(seconds: Double, ticks: Int64?) {
  #expect(SessionTime(seconds: seconds)?.ticks == ticks)
}

@Test("Conversion to seconds and back preserves the tick for 100 days") func roundTripThroughSeconds() throws
{
  var random = SeededGenerator(seed: 1)
  let end = 10_000_000 * RRInterval.ticksPerSecond
  for _ in 0..<10_000 {
    let time = SessionTime(ticks: .random(in: 0..<end, using: &random))
    #expect(SessionTime(seconds: time.seconds) == time)
  }
}

@Test("Durations of integer ticks are exact") func exactDurations() {
  var random = SeededGenerator(seed: 2)
  for _ in 0..<10_000 {
    let ticks = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
    #expect(Duration(ticks: ticks).ticks == ticks)
  }
  #expect(
    Duration(ticks: 1) == .nanoseconds(12) + Duration(secondsComponent: 0, attosecondsComponent: 500_000_000))
  #expect(Duration.milliseconds(60_000).ticks == 60 * RRInterval.ticksPerSecond)
  #expect(Duration.nanoseconds(24).ticks == 1)
}
