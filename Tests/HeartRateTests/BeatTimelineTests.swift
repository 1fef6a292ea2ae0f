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

/// Returns the end times and gaps of all packets, in seconds.
private func place(_ packets: [(rr: RRIntervals, arrival: Double)]) -> [String] {
  var timeline = BeatTimeline()
  return packets.flatMap { packet in
    var placement = timeline.place(packet.rr, arrival: time(packet.arrival))
    let gap = placement.gapStart.map { "gap from \($0.seconds)" }
    return [gap].compactMap(\.self) + packet.rr.map { "\(placement.advance(by: $0).seconds)" }
  }
}

@Test("End times equal the running sum of RR if arrivals do") func exactArrivals() throws {
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

@Test("The beats of one packet are spaced by their intervals") func beatsOfOnePacket() {
  #expect(place([(intervals(500, 1000, 750), 10)]) == ["8.25", "9.25", "10.0"])
}

@Test("A late packet does not move the timeline, and an early one moves it back") func lateAndEarlyPackets() {
  let placed = place([
    (intervals(1000), 10), (intervals(1000), 11.5), (intervals(1000), 11.75), (intervals(1000), 13.25),
  ])
  #expect(placed == ["10.0", "11.0", "11.75", "12.75"])
}

@Test("The end times of a duplicate packet are monotonic and at most its arrival") func duplicatePacket() {
  let placed = place([
    (intervals(1000), 10), (intervals(1000), 11), (intervals(1000), 11.125), (intervals(1000), 12),
  ])
  #expect(placed == ["10.0", "11.0", "11.125", "12.0"])
}

@Test("A spurious interval of 52 ms does not shift the following beats") func spuriousInterval() {
  let extra = RRIntervals(gattUnits: [1069, 53])
  let placed = place([(intervals(1000), 10), (extra, 11.0439453125), (intervals(1000), 12.0439453125)])
  #expect(placed == ["10.0", "10.9921875", "11.0439453125", "12.0439453125"])
}

@Test(
  "An arrival reports missing data beyond max(2 s, twice the last RR), not at this limit",
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

@Test("One lost beat is not a gap, and three lost beats are") func lostBeats() {
  #expect(
    place([(intervals(1000), 10), (intervals(1000), 12), (intervals(1000), 13)]) == ["10.0", "11.0", "12.0"])
  #expect(place([(intervals(1000), 10), (intervals(1000), 14)]) == ["10.0", "gap from 10.0", "14.0"])
}

@Test("The timeline corrects a lost beat within 64 packets") func correctionWithin64Packets() {
  let packets = (0..<130).map { (rr: intervals(1000), arrival: Double($0 < 2 ? 10 + $0 : 11 + $0)) }
  let placed = place(packets)
  #expect(placed[1] == "11.0" && placed[2] == "12.0")
  #expect(placed.last == "140.0")
}

@Test("A gap begins at the end of the last beat") func gapStart() {
  // 64 packets with a delay of half a second have moved the timeline ahead of the last beat.
  let late = (0...64).map { (rr: intervals(1000), arrival: $0 == 0 ? 10 : 10.5 + Double($0)) }
  #expect(place(late + [(intervals(1000), 90)]).suffix(2) == ["gap from 74.0", "90.0"])
}

@Test("After a break the timeline restarts without a gap") func restartAfterBreak() {
  var timeline = BeatTimeline()
  _ = timeline.place(intervals(1000), arrival: time(10))
  timeline.interrupt()
  var placement = timeline.place(intervals(1000, 1000), arrival: time(10.5))
  #expect(placement.gapStart == nil)
  #expect(placement.advance(by: intervals(1000)[0]) == time(10))
  #expect(placement.advance(by: intervals(1000)[0]) == time(10.5))
}

/// A day of notifications, each delayed by up to a second, from a strap with clock drift.
@Test(
  "A clock drift of 50 ppm and late packets cause an error of at most 1.05 s per day",
  arguments: [50.0, -50.0, 0.0])
func clockDrift(partsPerMillion: Double) {
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
  // The error is bounded by the delay of the first packet and does not grow: 50 ppm of a day is 4.3 s.
  #expect(worst <= 1.05)
}

@Test("End times are monotonic and at most the latest arrival for arbitrary packets", arguments: 0..<20)
func arbitraryPackets(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var timeline = BeatTimeline()
  var latest = Int64.min
  var previous = SessionTime(ticks: .min)
  for _ in 0..<500 {
    if Int.random(in: 0..<20, using: &random) == 0 { timeline.interrupt() }
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
