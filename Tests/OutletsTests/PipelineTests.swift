import HeartRate
import LiveFeed
import LiveSession
import Stress
import Testing

@testable import Outlets

/// From the lines of a session to events.
@Suite struct PipelineTests {
  private let second: Int64 = 1_000_000_000
  private let a = "01KAAAAAAAAAAAAAAAAAAAAAAA"
  private let b = "01KBBBBBBBBBBBBBBBBBBBBBBB"

  private func hello(_ session: String, profile: String = "me", lines: Int = 0) -> FeedEvent {
    var hello = FeedHello(
      version: "0.1.0", session: session, profile: profile, started: "2026-11-21T07:30:00Z", isSimulated: true
    )
    hello.lines = lines
    return .began(hello)
  }

  private func line(_ session: String, _ text: String) -> FeedEvent {
    .line(FeedLine(session: session, number: 1, bytes: Array(text.utf8)))
  }

  /// A notification and its measurement.
  private func beat(_ session: String, at time: Double, hr: Int = 60, rr: Double = 1000) -> [FeedEvent] {
    [
      line(
        session,
        #"{"type":"notification","time":"t","monotonic_s":\#(time),"hr_bpm":\#(hr),"rr_ms":[\#(rr)]}"#),
      line(
        session,
        #"{"type":"measurement","time":"t","monotonic_s":\#(time),"rmssd_ms":42.5,"stress":30.0,"category":"mild","confidence":0.9,"stale":false}"#
      ),
    ]
  }

  private func link(_ session: String, _ state: String) -> FeedEvent {
    line(session, #"{"type":"link","monotonic_s":1,"state":"\#(state)","stale":true}"#)
  }

  private func receive(_ pipeline: inout EventPipeline, _ events: [FeedEvent], at now: Int64) -> [OutletEvent]
  {
    for event in events { pipeline.receive(event, at: now) }
    return pipeline.take(at: now).map(\.event)
  }

  private func live(_ pipeline: inout EventPipeline) -> [OutletEvent] {
    receive(&pipeline, [hello(a), link(a, "connected")] + beat(a, at: 1), at: second)
  }

  private func isWithdrawn(_ event: OutletEvent) -> Bool {
    guard case .values(let values) = event else { return false }
    return !values.isLive && values.heartRate == nil && values.stress == nil && values.session != nil
  }

  @Test func aSessionIsDescribedBeforeAndBetweenItsValues() throws {
    var pipeline = EventPipeline()
    let first = receive(&pipeline, [hello(a)], at: 0)
    #expect(first.map(isWithdrawn) == [true])
    _ = live(&pipeline)
    _ = receive(&pipeline, [link(a, "lost")], at: 3 * second)
    let events = receive(&pipeline, [link(a, "connected")] + beat(a, at: 9, rr: 900), at: 9 * second)
    guard case .values(let values) = try #require(events.last) else { throw Unexpected() }
    let session = try #require(values.session)
    #expect(session.id == a && session.profile == "me" && session.isConnected && session.isSimulated)
    #expect(session.counts.beats == 2 && session.counts.reconnections == 1)
  }

  /// Regression: numbers beyond the range of an integer ended `publish --from -`.
  @Test(arguments: ["1e300", "115292150460684697", "-1e300", "1e999"])
  func numbersThatNoSensorSendsAreIgnored(number: String) {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    let text = """
      {"type":"notification","time":"t","monotonic_s":\(number),"hr_bpm":\(number),"rr_ms":[\(number)]}
      """
    let late = """
      {"type":"notification","time":"t","monotonic_s":1e9,"hr_bpm":60,"rr_ms":[\(number)],"battery_percent":\(number)}
      """
    let beats = receive(&pipeline, [line(a, text), line(a, late)], at: 30 * second)
    #expect(!beats.contains { if case .values(let values) = $0 { values.heartRate != 60 } else { false } })
  }

  @Test func aBeatFollowsItsValuesAfterOneSecond() throws {
    var pipeline = EventPipeline()
    let events = live(&pipeline)
    #expect(events.count == 1)
    guard case .values(let values) = try #require(events.first) else { throw Unexpected() }
    #expect(values.isLive && values.heartRate == 60 && values.rmssd == 42.5)
    #expect(values.stress == 30 && values.category == .mild && values.confidence == 0.9)
    #expect(pipeline.nextDeadline == 2 * second)
    #expect(pipeline.take(at: 2 * second).map(\.event) == [.beat(RRInterval(gattUnits: 1024))])
  }

  @Test func intervalsAreExactAndEachIsReleasedOnce() {
    var pipeline = EventPipeline()
    _ = receive(&pipeline, [hello(a), link(a, "connected")], at: 0)
    let text =
      #"{"type":"notification","time":"t","monotonic_s":2,"hr_bpm":60,"rr_ms":[1006.8359375,992.1875]}"#
    _ = receive(&pipeline, [line(a, text)], at: 2 * second)
    let beats = pipeline.take(at: 10 * second).map(\.event).filter {
      if case .beat = $0 { true } else { false }
    }
    #expect(beats == [.beat(RRInterval(gattUnits: 1031)), .beat(RRInterval(gattUnits: 1016))])
  }

  @Test(arguments: ["lost", "searching", "stale"])
  func aLostLinkWithdrawsTheValuesWithinTenSeconds(state: String) {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    pipeline.receive(link(a, state), at: 2 * second)
    #expect(pipeline.take(at: 3 * second).map(\.event).last.map(isWithdrawn) == true)
    #expect(pipeline.nextDeadline == nil)
  }

  @Test func silenceWithdrawsTheValuesWithinTenSeconds() throws {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    _ = pipeline.take(at: 2 * second)
    let deadline = try #require(pipeline.nextDeadline)
    #expect(deadline < 11 * second)
    #expect(pipeline.take(at: deadline - 1) == [])
    #expect(pipeline.take(at: deadline).map(\.event).map(isWithdrawn) == [true])
    #expect(!receive(&pipeline, beat(a, at: 20), at: 20 * second).isEmpty)
  }

  @Test func afterALossOldValuesAreNotPublishedUntilTheNextMeasurement() {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    _ = receive(&pipeline, [link(a, "lost")], at: 5 * second)
    #expect(receive(&pipeline, [link(a, "connected")], at: 6 * second).map(isWithdrawn) == [true])
    let events = receive(&pipeline, beat(a, at: 9, hr: 70), at: 9 * second)
    guard case .values(let values)? = events.last else { return #expect(Bool(false)) }
    #expect(values.heartRate == 70)
  }

  @Test(arguments: [FeedEvent.End.finished, .lost])
  func theEndOfASessionWithdrawsTheValuesAfterThePendingBeats(end: FeedEvent.End) {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    pipeline.receive(.ended(session: a, end), at: second + 1)
    #expect(pipeline.take(at: second + 1) == [])
    #expect(
      pipeline.take(at: 2 * second).map(\.event) == [
        .beat(RRInterval(gattUnits: 1024)), .values(.withdrawn),
      ])
    #expect(!pipeline.hasPendingEvents)
  }

  @Test func theEndOfTheInputWithdrawsTheValuesAfterThePendingBeats() {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    pipeline.finish(at: second)
    #expect(pipeline.take(at: 2 * second).map(\.event).last == .values(.withdrawn))
  }

  @Test func theFirstLiveSessionIsPublishedAndAnotherOneAfterIt() {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    _ = pipeline.take(at: 2 * second)
    #expect(
      receive(&pipeline, [hello(b), link(b, "connected")] + beat(b, at: 1, hr: 90), at: 2 * second) == [])
    pipeline.receive(.ended(session: a, .finished), at: 3 * second)
    guard case .values(let values)? = pipeline.take(at: 3 * second).map(\.event).last else {
      return #expect(Bool(false))
    }
    #expect(values.heartRate == 90)
  }

  @Test func onlyTheGivenProfileIsPublished() {
    var pipeline = EventPipeline(profile: "anna")
    #expect(live(&pipeline) == [])
    let events = receive(
      &pipeline, [hello(b, profile: "anna"), link(b, "connected")] + beat(b, at: 1), at: second)
    #expect(events.count == 1)
  }

  @Test func linesThatWereNotReceivedAreCounted() {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    pipeline.receive(.ended(session: a, .disconnected(.behind)), at: second)
    pipeline.receive(hello(a, lines: 11), at: second)
    #expect(pipeline.lostLines == 10)
  }

  @Test func marksAndGapsAreMarkers() {
    var pipeline = EventPipeline()
    _ = live(&pipeline)
    _ = receive(&pipeline, [line(a, #"{"type":"mark","monotonic_s":2,"text":"stand up"}"#)], at: 2 * second)
    #expect(pipeline.take(at: 3 * second).map(\.event).contains(.marker("stand up")))
  }

  private struct Unexpected: Error {}
}
