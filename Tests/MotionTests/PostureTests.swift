import HeartRate
import Motion
import Testing

@Test(
  arguments: ["lying:60,still:60", "still:60,lying:60", "lying:60,walking:60"], 1...6 as ClosedRange<UInt64>)
func changeOfPostureIsDetectedWithinThreeSeconds(_ script: String, seed: UInt64) {
  let changes = features(script, seconds: 119, seed: seed).filter(\.hasPostureChange).map(\.time.seconds)
  #expect(changes.contains { (60...63).contains($0) }, "\(changes)")
}

@Test(arguments: ["still", "breathing", "lying", "walking", "running"])
func constantPostureHasNoChanges(_ activity: String) {
  #expect(features(activity, seconds: 600).filter(\.hasPostureChange).isEmpty)
}

@Test func postureIsDerivedFromTheForwardAxis() {
  #expect(features("lying", seconds: 60).last?.posture == .lying)
  #expect(features("still", seconds: 60).last?.posture == .upright)
}
