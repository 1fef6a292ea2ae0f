import HeartRate
import Motion
import Simulator
import Testing

private func seconds(_ events: [SessionEvent]) -> [MotionSecond] {
  var (tracker, seconds) = (MotionTracker(), [MotionSecond]())
  for event in events { tracker.update(event) { seconds.append($0) } }
  return seconds
}

@Test func framesGiveOneFeatureValuePerSecond() {
  let times = seconds(events("walking", frames: 100)).map(\.time.seconds)
  #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1 })
  #expect((141...144).contains(times.count))
}

@Test func streamOfAnotherProgramIsDecodedWithTheMeasuredRate() {
  let frames = Array(events("walking", frames: 100).dropFirst())
  let found = seconds(frames)
  #expect(found.count >= 138)
  #expect(found.fraction { $0.motion == .walk } >= 0.95)
}

@Test func lostLinkEndsTheCurrentSecond() {
  var all = events("still", frames: 4)
  all.insert(SessionEvent(at: all[2].at, .link(LinkChange(.lost))), at: 3)
  #expect(seconds(all).count < seconds(events("still", frames: 4)).count)
}

@Test func aRateOfZeroIsIgnored() {
  let frames = Array(events("walking", frames: 20).dropFirst())
  let start = SessionEvent(
    at: frames[0].at, .stream(SensorStreamChange(.acceleration, .started, settings: SensorSettings(rate: 0))))
  #expect(seconds([start] + frames) == seconds(frames))
}

@Test func malformedFramesAreIgnored() {
  var all = events("still", frames: 20)
  let expected = seconds(all)
  for index in stride(from: 1, to: 15, by: 3) {
    all.insert(SessionEvent(at: all[index].at, .sensorFrame(payload: [2, 1, 2, 3])), at: index)
  }
  #expect(seconds(all) == expected)
}
