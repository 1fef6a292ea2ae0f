import HeartRate
import Motion
import Testing

private let seeds = 1...6 as ClosedRange<UInt64>

@Test(arguments: ["walking", "running"], seeds)
func walkingAndRunningSecondsAreDetected(_ activity: String, seed: UInt64) {
  let detected = features(activity, seconds: 300, seed: seed).fraction { $0.motion.isLocomotion }
  #expect(detected >= 0.98, "\(detected)")
}

@Test(arguments: seeds) func runningIsDistinguishedFromWalking(seed: UInt64) {
  #expect(features("running", seconds: 300, seed: seed).fraction { $0.motion == .run } >= 0.95)
  #expect(features("walking", seconds: 300, seed: seed).fraction { $0.motion == .walk } >= 0.95)
}

@Test(arguments: ["still", "breathing", "lying", "removed"], seeds)
func stillSecondsAreStill(_ activity: String, seed: UInt64) {
  let moving = features(activity, seconds: 600, seed: seed).fraction { $0.motion != .still }
  #expect(moving <= 0.01, "\(moving)")
}

@Test(arguments: seeds) func gesturesAreNotLocomotion(seed: UInt64) {
  let seconds = features("fidgeting", seconds: 600, seed: seed)
  #expect(seconds.fraction { $0.motion == .fidget } >= 0.7)
  #expect(seconds.fraction { $0.motion.isLocomotion } <= 0.1)
}

@Test(arguments: [26, 50, 52, 100, 200] as [Double])
func classesDoNotDependOnTheSamplingRate(_ rate: Double) {
  #expect(features("walking", seconds: 120, rate: rate).fraction { $0.motion.isLocomotion } >= 0.98)
  #expect(features("breathing", seconds: 120, rate: rate).fraction { $0.motion == .still } >= 0.99)
}

@Test func intensityIsTheMeanAmplitudeDeviation() {
  var detector = MotionDetector(rate: 20)
  var features: [MotionSecond] = []
  // Lengths of 900 and 1100 mg alternate: MAD 100 mg, ENMO 50 mg.
  for number in 0...20 {
    let sample = Acceleration(x: 0, y: number.isMultiple(of: 2) ? -900 : -1100, z: 0)
    detector.update(sample, at: SessionTime(seconds: Double(number) / 20)!) { features.append($0) }
  }
  #expect(features.map(\.intensity) == [100])
  #expect(features.map(\.enmo) == [50])
}

@Test func secondWithTooFewSamplesHasNoFeatures() {
  var detector = MotionDetector(rate: 25)
  var count = 0
  for second in 0..<10 {
    detector.update(Acceleration(x: 0, y: 0, z: 1000), at: SessionTime(seconds: Double(second))!) { _ in
      count += 1
    }
  }
  #expect(count == 0)
}
