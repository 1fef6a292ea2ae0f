import HeartRate
import TestSupport
import Testing

private let second = RRInterval.ticksPerSecond

private func time(_ seconds: Double) -> SessionTime {
  SessionTime(ticks: Int64((seconds * Double(second)).rounded()))
}

private func intervals(_ milliseconds: Int...) -> RRIntervals {
  RRIntervals(gattUnits: milliseconds.map { UInt16($0 * 1024 / 1000) })
}

/// One packet per RR, as end times and gaps in seconds.
private func place(_ packets: [(rr: RRIntervals, arrival: Double)]) -> [String] {
  var timeline = BeatTimeline()
  return packets.flatMap { packet in
    var placement = timeline.place(packet.rr, arrival: time(packet.arrival))
    let gap = placement.gapStart.map { "gap from \($0.seconds)" }
    return [gap].compactMap(\.self) + packet.rr.map { "\(placement.advance(by: $0).seconds)" }
  }
}

@Test func exactArrivalsGiveTheExactRunningSum() throws {
  var random = SeededGenerator(seed: 11)
  var timeline = BeatTimeline()
  var sum: Int64 = 0
  for _ in 0..<20_000 {
    let rr = RRInterval(ticks: .random(in: 0...400 * second, using: &random))
    sum += rr.ticks
    var placement = timeline.place(RRIntervals(rr), arrival: SessionTime(ticks: sum))
    #expect(placement.gapStart == nil)
    #expect(placement.start.ticks == sum - rr.ticks)
    #expect(placement.advance(by: rr).ticks == sum)
  }
}

@Test func theBeatsOfAPacketEndOneAfterTheOther() {
  #expect(place([(intervals(500, 1000, 750), 10)]) == ["8.25", "9.25", "10.0"])
}

@Test func aLatePacketStaysOnTheChainAndAnEarlyOnePullsItBack() {
  let placed = place([
    (intervals(1000), 10), (intervals(1000), 11.5), (intervals(1000), 11.75), (intervals(1000), 13.25),
  ])
  #expect(placed == ["10.0", "11.0", "11.75", "12.75"])
}

@Test func aDuplicateEndsNoBeatBeforeItsTimeNorAfterItsArrival() {
  let placed = place([
    (intervals(1000), 10), (intervals(1000), 11), (intervals(1000), 11.125), (intervals(1000), 12),
  ])
  #expect(placed == ["10.0", "11.0", "11.125", "12.0"])
}

@Test func anExtraIntervalOf52MillisecondsMovesNothingButItself() {
  let extra = RRIntervals(gattUnits: [1069, 53])
  let placed = place([(intervals(1000), 10), (extra, 11.0439453125), (intervals(1000), 12.0439453125)])
  #expect(placed == ["10.0", "10.9921875", "11.0439453125", "12.0439453125"])
}

@Test(
  "Data are missing beyond max(2 s, twice the last RR), not at it",
  arguments: [(500, 2.0), (1000, 2.0), (1500, 3.0), (2000, 4.0)])
func gapRule(last: Int, tolerance: Double) {
  let rr = intervals(last)
  #expect(BeatTimeline.tolerance(lastRR: rr[0]) == Int64(tolerance * Double(second)))
  let edge = SessionTime(ticks: 10 * second + rr[0].ticks + Int64(tolerance * Double(second)))
  for (arrival, isGap) in [(edge, false), (SessionTime(ticks: edge.ticks + 1), true)] {
    var timeline = BeatTimeline()
    _ = timeline.place(intervals(1000), arrival: time(10))
    var placement = timeline.place(rr, arrival: arrival)
    #expect(placement.gapStart == (isGap ? time(10) : nil))
    #expect(placement.advance(by: rr[0]) == (isGap ? arrival : SessionTime(ticks: 10 * second + rr[0].ticks)))
  }
}

@Test func aLostPacketOfOneBeatIsNoGapAndThreeAre() {
  #expect(
    place([(intervals(1000), 10), (intervals(1000), 12), (intervals(1000), 13)]) == ["10.0", "11.0", "12.0"])
  #expect(place([(intervals(1000), 10), (intervals(1000), 14)]) == ["10.0", "gap from 10.0", "14.0"])
}

@Test func theChainCatchesUpWithALostBeatWithin64Packets() {
  let packets = (0..<130).map { (rr: intervals(1000), arrival: Double($0 < 2 ? 10 + $0 : 11 + $0)) }
  let placed = place(packets)
  #expect(placed[1] == "11.0" && placed[2] == "12.0")
  #expect(placed.last == "140.0")
}

@Test func aGapBeginsWhereTheLastBeatEnded() {
  // 64 packets late by half a second have moved the chain ahead of the last beat.
  let late = (0...64).map { (rr: intervals(1000), arrival: $0 == 0 ? 10 : 10.5 + Double($0)) }
  #expect(place(late + [(intervals(1000), 90)]).suffix(2) == ["gap from 74.0", "90.0"])
}

@Test func afterABreakTheChainBeginsAnewWithoutAGap() {
  var timeline = BeatTimeline()
  _ = timeline.place(intervals(1000), arrival: time(10))
  timeline.breakOff()
  var placement = timeline.place(intervals(1000, 1000), arrival: time(10.5))
  #expect(placement.gapStart == nil)
  #expect(placement.advance(by: intervals(1000)[0]) == time(10))
  #expect(placement.advance(by: intervals(1000)[0]) == time(10.5))
}

/// A day of beats sent over the air: each packet is up to a second late, and the strap's clock differs.
@Test("A day of late packets from a clock that is wrong by 50 ppm", arguments: [50.0, -50.0, 0.0])
func aDayOverTheAir(partsPerMillion: Double) {
  var random = SeededGenerator(seed: 12)
  var timeline = BeatTimeline()
  var truth = 100.0
  var previous = SessionTime.zero
  var worst = 0.0
  var backwards = 0
  var afterArrival = 0
  var gaps = 0
  for _ in 0..<96_000 {
    let rr = RRInterval(gattUnits: .random(in: 700...1150, using: &random))
    truth += rr.milliseconds / 1000 * (1 + partsPerMillion / 1e6)
    let arrival = time(truth + .random(in: 0...1, using: &random))
    var placement = timeline.place(RRIntervals(rr), arrival: max(arrival, previous))
    let end = placement.advance(by: rr)
    gaps += placement.gapStart == nil ? 0 : 1
    backwards += end < previous ? 1 : 0
    afterArrival += end > max(arrival, previous) ? 1 : 0
    worst = max(worst, abs(end.seconds - truth))
    previous = end
  }
  #expect(gaps == 0 && backwards == 0 && afterArrival == 0)
  // Bounded by the delay of the first packet, and not growing: 50 ppm of a day would be 4.3 s.
  #expect(worst <= 1.05)
}

@Test("Whatever arrives, ends never go back and never lie after the latest arrival", arguments: 0..<20)
func anyPackets(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var timeline = BeatTimeline()
  var latest = Int64.min
  var previous = SessionTime(ticks: .min)
  for _ in 0..<500 {
    if Int.random(in: 0..<20, using: &random) == 0 { timeline.breakOff() }
    let count = Int.random(in: 1...9, using: &random)
    let rr = RRIntervals(gattUnits: (0..<count).map { _ in .random(in: 0...UInt16.max, using: &random) })
    let arrival = SessionTime(ticks: .random(in: -Int64.max / 2...Int64.max / 2, using: &random))
    latest = max(latest, arrival.ticks)
    var placement = timeline.place(rr, arrival: arrival)
    for interval in rr {
      let end = placement.advance(by: interval)
      #expect(end >= previous && end.ticks <= latest)
      previous = end
    }
  }
}
