import HRV
import HeartRate
import Motion
import Simulator
import Stress
import TestSupport
import Testing

/// The events of a resting heart with the acceleration of a script.
private func session(_ script: String?, seconds: Double, seed: UInt64 = 1) -> [SessionEvent] {
  var strap = SimulatedStrap(
    seed: seed, duration: .seconds(Int64(seconds)), faults: .none)
  strap.motion = script.flatMap { MotionScript($0) }
  return Array(strap)
}

private func measurements(_ events: [SessionEvent], window: Int64 = 60) -> [StressMeasurement] {
  var engine = StressEngine(settings: .init(window: .seconds(window)))
  var all: [StressMeasurement] = []
  for event in events { engine.update(event) { all.append($0) } }
  return all
}

@Test func stillnessDoesNotLowerTheConfidence() throws {
  let last = try #require(measurements(session("breathing", seconds: 180)).last)
  #expect(last.confidence[.motion] == 1)
  #expect(last.motion?.isRest == true && !last.isMoving)
}

@Test(arguments: ["walking", "running"]) func locomotionLowersTheConfidence(_ script: String) throws {
  let last = try #require(measurements(session(script, seconds: 180)).last)
  #expect(last.confidence[.motion].map { $0 < 0.25 } == true)
  #expect(last.isMoving && last.confidence.value < 0.5)
}

@Test func motionIsAbsentWithoutAcceleration() {
  let all = measurements(session(nil, seconds: 180))
  #expect(all.allSatisfy { $0.motion == nil && $0.confidence[.motion] == nil && !$0.isMoving })
}

@Test func accelerationAtRestLeavesEveryOtherResultUnchanged() {
  let plain = measurements(session(nil, seconds: 180))
  let still = measurements(session("breathing", seconds: 180)).map { measurement in
    var measurement = measurement
    measurement.motion = nil
    measurement.confidence[.motion] = nil
    return measurement
  }
  #expect(plain == still)
}

@Test func movingEndsWithTheWalk() {
  let all = measurements(session("breathing:60,walking:60", seconds: 360))
  let walking = all.filter { (70...115).contains($0.time.seconds) || (190...235).contains($0.time.seconds) }
  let resting = all.filter { (20...55).contains($0.time.seconds) || (130...175).contains($0.time.seconds) }
  #expect(walking.count { $0.isMoving } >= walking.count * 98 / 100)
  #expect(resting.allSatisfy { !$0.isMoving })
}

@Test(arguments: [30, 60, 300] as [Int64]) func windowContainsOnlyItsOwnSeconds(_ window: Int64) throws {
  let all = measurements(session("walking:120,breathing:600", seconds: 700), window: window)
  let after = try #require(all.last { $0.time.seconds < 120 + Double(window) + 60 })
  #expect(after.motion?.locomotion == 0)
}

@Test func motionIsAbsentSoonAfterTheStreamEnds() throws {
  var events = session("walking", seconds: 200)
  events.removeAll { event in
    if case .sensorFrame = event.kind { event.at.seconds > 100 } else { false }
  }
  #expect(measurements(events).filter { $0.time.seconds > 110 }.allSatisfy { $0.motion == nil })
}

@Test func onlyStillMinutesAreRest() {
  func windows(_ script: String?) -> Int {
    var observer = RestObserver()
    var count = 0
    for event in session(script, seconds: 110) { observer.update(event) { _ in count += 1 } }
    return count
  }
  #expect(windows(nil) == 1)
  #expect(windows("breathing") == 1)
  #expect(windows("walking") == 0)
  #expect(windows("fidgeting") == 0)
}
