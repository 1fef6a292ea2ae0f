import Stress
import TestSupport
import Testing

private func score(
  hrv: Double = 50, heartRate: Double = 60, baselineHRV: Double = 50, restingHeartRate: Double = 60
) throws(StressScore.InputError) -> StressScore {
  try StressScore(
    StressScore.Inputs(
      hrv: hrv, heartRate: heartRate, baselineHRV: baselineHRV, restingHeartRate: restingHeartRate))
}

@Test(
  "Scores equal the reference values for the default baseline",
  arguments: [
    (50, 60, 0), (50, 100, 17.710_034_118_051_99), (20, 90, 61.517_786_416_428_18), (0, 60, 70),
    (50, 200, 25.968_414_307_662_63), (49, 60, 3.061_413_807_041_178), (0, 1000, 99.390_677_251_898_32),
  ] as [(Double, Double, Double)])
func referenceValues(hrv: Double, heartRate: Double, stress: Double) throws {
  #expect(abs(try score(hrv: hrv, heartRate: heartRate).value - stress) < 1e-12)
}

@Test("Scores equal the reference values for other baselines") func otherBaselines() throws {
  let one = try score(hrv: 25, heartRate: 75, baselineHRV: 42.5, restingHeartRate: 55.5)
  #expect(abs(one.value - 46.119_118_294_523_43) < 1e-12)
  let other = try score(hrv: 10, heartRate: 150, baselineHRV: 100, restingHeartRate: 45)
  #expect(abs(other.value - 90.310_042_626_471_14) < 1e-12)
}

@Test("A score contains its inputs and components") func inputsAndComponents() throws {
  let one = try score(hrv: 20, heartRate: 90)
  #expect(one.inputs.hrv == 20 && one.inputs.heartRate == 90)
  #expect(one.normalisedHRV == 0.6 && one.normalisedHeartRate == 0.5)
  #expect(abs(one.hrvComponent - 0.664_539_806) < 1e-9 && one.heartRateComponent == 0.5)
  #expect(one.value == 100 * (0.7 * one.hrvComponent + 0.3 * one.heartRateComponent))
}

@Test(
  "HRV above the baseline and a heart rate below rest give a score of 0",
  arguments: [(51, 59), (500, 1), (1e9, 60)])
func noStress(hrv: Double, heartRate: Double) throws {
  let none = try score(hrv: hrv, heartRate: heartRate)
  #expect(none.value == 0 && none.hrvComponent == 0 && none.heartRateComponent == 0)
  #expect(none.normalisedHRV < 0 && none.normalisedHeartRate <= 0)
}

@Test(
  "An input out of range throws an error with its name and value",
  arguments: [Double.nan, .infinity, -.infinity, -1, -1e-300])
func invalidInputs(_ value: Double) {
  expectError(.hrv, value) { () throws(StressScore.InputError) in try score(hrv: value) }
  expectError(.heartRate, value) { () throws(StressScore.InputError) in try score(heartRate: value) }
  expectError(.baselineHRV, value) { () throws(StressScore.InputError) in try score(baselineHRV: value) }
  expectError(.restingHeartRate, value) { () throws(StressScore.InputError) in
    try score(restingHeartRate: value)
  }
}

@Test("Zero is valid for HRV only") func zeroInputs() throws {
  #expect(try score(hrv: 0).value == 70)
  #expect(try score(hrv: -0.0).value == 70)
  expectError(.heartRate, 0) { () throws(StressScore.InputError) in try score(heartRate: 0) }
  expectError(.baselineHRV, 0) { () throws(StressScore.InputError) in try score(baselineHRV: 0) }
  expectError(.restingHeartRate, 0) { () throws(StressScore.InputError) in try score(restingHeartRate: 0) }
}

private func expectError(
  _ input: StressScore.InputError.Input, _ value: Double,
  _ body: () throws(StressScore.InputError) -> StressScore
) {
  do throws(StressScore.InputError) {
    Issue.record("\(input.rawValue) \(value) gave \(try body().value)")
  } catch {
    #expect(error.input == input && (error.value == value || value.isNaN && error.value.isNaN))
    #expect(error.description.hasPrefix("\(input.rawValue) is \(value) "))
  }
}

@Test("The error message states the valid range") func errorMessage() {
  let error = #expect(throws: StressScore.InputError.self) { try score(hrv: -1) }
  #expect(error?.description == "HRV is -1.0 ms; it must be a number, 0 ms or more")
  let other = #expect(throws: StressScore.InputError.self) { try score(restingHeartRate: 0) }
  #expect(other?.description == "resting heart rate is 0.0 bpm; it must be a number, more than 0 bpm")
}

@Test("Valid inputs give a score from 0 to 100", arguments: 0..<5)
func arbitraryInputs(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  func any() -> Double {
    .random(in: 1...10, using: &random)
      * Double(sign: .plus, exponent: .random(in: -1020...1018, using: &random), significand: 1)
  }
  for _ in 0..<2000 {
    let one = try score(hrv: any(), heartRate: any(), baselineHRV: any(), restingHeartRate: any())
    #expect((0...100).contains(one.value))
    #expect((0...1).contains(one.hrvComponent) && (0...1).contains(one.heartRateComponent))
  }
}

@Test("The score does not decrease with lower HRV or a higher heart rate", arguments: 0..<5)
func monotone(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<2000 {
    let hrv = [Double.random(in: 0...120, using: &random), .random(in: 0...120, using: &random)].sorted()
    let rate = [Double.random(in: 30...220, using: &random), .random(in: 30...220, using: &random)].sorted()
    #expect(try score(hrv: hrv[0], heartRate: rate[0]).value >= score(hrv: hrv[1], heartRate: rate[0]).value)
    #expect(try score(hrv: hrv[0], heartRate: rate[0]).value <= score(hrv: hrv[0], heartRate: rate[1]).value)
  }
}

@Test(
  "Categories are half-open ranges",
  arguments: [
    (0, .relaxed), (24.999, .relaxed), (25.0.nextDown, .relaxed), (25, .mild), (50.0.nextDown, .mild),
    (50, .moderate), (75.0.nextDown, .moderate), (75, .high), (100, .high),
  ] as [(Double, StressCategory)])
func categories(score: Double, category: StressCategory) {
  #expect(StressCategory(score: score) == category)
}

@Test("The category of a score follows from its value") func categoryOfScore() throws {
  #expect(try score().category == .relaxed)
  #expect(try score(hrv: 20, heartRate: 90).category == .moderate)
  #expect(try score(heartRate: 200).category == .mild)
}

@Test("The HRV metric selects its baseline value") func baselineValueOfMetric() {
  let baseline = Baseline(rmssd: 40, sdnn: 60, restingHeartRate: 55, days: 3, origin: .manual)
  #expect(baseline.hrv(.rmssd) == 40 && baseline.hrv(.sdnn) == 60)
  #expect(
    Baseline.populationDefault.hrv(.rmssd) == 50 && Baseline.populationDefault.restingHeartRate == 60
      && Baseline.populationDefault.days == 0)
}
