import HRV
import HeartRate
import TestSupport
import Testing

private func time(_ seconds: Double) -> SessionTime { SessionTime(ticks: Int64((seconds * 8e7).rounded())) }

/// A stream with a textual log of its events.
private struct Run {
  var stream: BeatStream
  var words: [String] = []

  init(_ classification: BeatStream.Classification = .provisional) {
    stream = BeatStream(classification: classification)
  }

  /// Appends a notification with one interval.
  mutating func packet(_ milliseconds: Double, at arrival: Double) {
    var new: [BeatStream.Event] = []
    let rr = RRInterval(ticks: Int64(milliseconds * 80_000))
    stream.append(RRIntervals(rr), arrival: time(arrival)) { new.append($0) }
    words += new.map(word)
  }

  mutating func lose(at seconds: Double) { stream.linkLost(at: time(seconds)) }

  private func word(_ event: BeatStream.Event) -> String {
    switch event {
    case .beat(let beat): "\(beat.verdict)\(beat.followsBreak ? "|" : "") \(beat.end.seconds)"
    case .notification, .undecodable: "\(event)"
    case .gap(let gap): "\(gap.cause.rawValue) \(gap.start.seconds)-\(gap.end.seconds)"
    }
  }
}

@Test("The first beat follows a break") func firstBeat() {
  var run = Run()
  run.packet(1000, at: 1)
  run.packet(1000, at: 2)
  #expect(run.words == ["normal| 1.0", "normal 2.0"])
}

@Test("A lost link is a gap until the start of the next beat") func lostLink() {
  var run = Run()
  run.packet(1000, at: 1)
  run.lose(at: 1.5)
  run.lose(at: 2.5)
  run.packet(500, at: 10)
  run.packet(500, at: 10.5)
  #expect(run.words == ["normal| 1.0", "link-lost 1.5-9.5", "normal| 10.0", "normal 10.5"])
}

@Test("A link lost for less than a beat is a gap of zero length") func shortLinkLoss() {
  var run = Run()
  run.packet(1000, at: 1)
  run.lose(at: 1.5)
  run.packet(1000, at: 2)
  #expect(run.words == ["normal| 1.0", "link-lost 1.5-1.5", "normal| 2.0"])
}

@Test("Missing notifications are a gap") func missingNotifications() {
  var run = Run()
  run.packet(1000, at: 1)
  run.packet(1000, at: 4.5)
  run.packet(1000, at: 5.5)
  #expect(run.words == ["normal| 1.0", "data-missing 1.0-3.5", "normal| 4.5", "normal 5.5"])
}

@Test("An interval longer than 3 s is a gap and a beat with this verdict") func longInterval() {
  var run = Run()
  run.packet(1000, at: 1)
  run.packet(4000, at: 5)
  run.packet(500, at: 5.5)
  #expect(run.words == ["normal| 1.0", "long-interval 1.0-5.0", "gap 5.0", "normal| 5.5"])
}

@Test("Without classification, only lost links and notifications are gaps") func gapsWithoutClassification() {
  var run = Run(.none)
  run.packet(1000, at: 1)
  run.packet(4000, at: 5)
  run.packet(52, at: 5.052)
  run.packet(500, at: 9)
  run.lose(at: 9.5)
  run.packet(500, at: 12)
  let seen = ["normal| 1.0", "normal 5.0", "normal 5.052", "data-missing 5.052-8.5", "normal| 9.0"]
  #expect(run.words == seen + ["link-lost 9.5-11.5", "normal| 12.0"])
}

@Test("A notification without intervals does not end a gap") func emptyNotification() {
  var run = Run()
  run.packet(1000, at: 1)
  run.lose(at: 2)
  run.stream.append(.none, arrival: time(3)) { _ in Issue.record("no event expected") }
  #expect(run.stream.finish(at: time(4)) == Gap(start: time(2), end: time(4), cause: .linkLost))
  #expect(run.stream.finish(at: time(5)) == nil)
}

@Test("After a gap an interval is not compared with earlier ones") func noComparisonAcrossGap() {
  var run = Run()
  run.packet(1000, at: 1)
  run.lose(at: 2)
  run.packet(400, at: 10)
  run.packet(400, at: 10.4)
  #expect(run.words.suffix(2) == ["normal| 10.0", "normal 10.4"])
}

@Test(
  "An error thrown by emit is rethrown, and the stream remains usable",
  arguments: [BeatStream.Classification.none, .provisional])
func throwingEmit(_ classification: BeatStream.Classification) {
  struct Stop: Error {}
  var stream = BeatStream(classification: classification)
  let two = RRIntervals(gattUnits: [1024, 1024])
  #expect(throws: Stop.self) { try stream.append(two, arrival: time(2)) { _ in throw Stop() } }
  var ends: [Double] = []
  stream.append(two, arrival: time(4)) { if case .beat(let beat) = $0 { ends.append(beat.end.seconds) } }
  #expect(ends == [3, 4])
}

@Test("The events of a session are emitted in causal order") func causalOrder() throws {
  var stream = BeatStream(classification: .provisional)
  var seen: [BeatStream.Event] = []
  let payload = [UInt8](hex: "10 3c 0004")
  let events: [(Double, SessionEvent.Kind)] = [
    (0, .link(LinkChange(.connected))), (1, .notification(payload: payload)),
    (1.5, .notification(payload: [0])),
    (2, .link(LinkChange(.lost))),
    (3, .link(LinkChange(.searching))), (4, .mark("tea")), (5, .end),
  ]
  for (seconds, kind) in events { stream.update(SessionEvent(at: time(seconds), kind)) { seen.append($0) } }
  #expect(seen.count == 4)
  #expect(try seen[0] == .notification(HeartRateMeasurement(payload: payload)))
  let beat = Beat(end: time(1), rr: RRInterval(gattUnits: 1024), verdict: .normal, followsBreak: true)
  #expect(seen[1] == .beat(beat))
  if case .undecodable(let error) = seen[2] {
    #expect(error.field == .heartRate)
  } else {
    Issue.record("\(seen)")
  }
  #expect(seen[3] == .gap(Gap(start: time(2), end: time(5), cause: .linkLost)))
}

@Test("The length of a gap is the difference of its ends", arguments: [(1.0, 3.5, 2.5), (0, 0, 0)])
func secondsOfAGap(start: Double, end: Double, seconds: Double) {
  #expect(Gap(start: time(start), end: time(end), cause: .dataMissing).seconds == seconds)
}
