import HeartRate
import Motion
import Testing

@Test(arguments: [("breathing", 15.0), ("lying", 12.0)])
func breathingRateFollowsFromTheMovementOfTheChest(_ activity: String, _ rate: Double) throws {
  let rates = features(activity, seconds: 120).dropFirst(40).map(\.respirationRate)
  #expect(rates.allSatisfy { $0.map { abs($0 - rate) < 0.5 } ?? false }, "\(rates)")
}

@Test(arguments: ["still", "walking", "running", "removed"])
func breathingRateIsAbsentWithoutBreathingMovement(_ activity: String) {
  let found = features(activity, seconds: 300).filter { $0.respirationRate != nil }.count
  #expect(found <= 6, "\(found)")
}
