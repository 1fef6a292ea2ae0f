import HRV
import HeartRate
import RealModule
import TestSupport
import Testing

@testable import Stress

@Test("Confidence without factors is 1") func noFactors() {
  #expect(Confidence().value == 1 && Confidence().known.isEmpty)
}

@Test("Confidence is the product of the known factors") func productOfFactors() {
  var confidence = Confidence()
  confidence[.coverage] = 0.5
  confidence[.contact] = 0.5
  confidence[.artefacts] = 0
  confidence[.artefacts] = nil
  #expect(confidence.value == 0.25 && confidence[.artefacts] == nil)
  #expect(confidence.known.map(\.factor) == [.coverage, .contact])
  var other = confidence
  other[.baseline] = 1
  #expect(other.value == confidence.value && other != confidence)
  other[.baseline] = nil
  #expect(other == confidence)
}

@Test("Each factor has its own value, name and reason") func distinctFactors() {
  var confidence = Confidence()
  for (index, factor) in Confidence.Factor.allCases.enumerated() { confidence[factor] = Double(index) / 10 }
  let count = Confidence.Factor.allCases.count
  #expect(confidence.known.map(\.value) == (0..<count).map { Double($0) / 10 })
  #expect(Set(Confidence.Factor.allCases.map(\.rawValue)).count == count)
  let current = Confidence.Factor.allCases.filter { !$0.isRetired }
  #expect(Set(current.map(\.reason)).count == current.count && count - current.count == 3)
}

private func inputs(
  hrv: Double, heartRate: Double, usual: Double = 50, resting: Double = 60
) -> StressScore.Inputs {
  StressScore.Inputs(hrv: hrv, heartRate: heartRate, baselineHRV: usual, restingHeartRate: resting)
}

@Test(
  "With a personal baseline, a low HRV and the range of the heart rate are relative to it and continuous",
  arguments: [
    (17, 17, 1), (7, 17, 1), (6.8, 17, 1), (5.1, 17, 0.75), (3.4, 17, 0.5), (0, 17, 0.5),
    (39, 100, 0.975), (20, 100, 0.5),
  ] as [(Double, Double, Double)])
func personalHRV(hrv: Double, usual: Double, factor: Double) throws {
  let confidence = Confidence(
    inputs(hrv: hrv, heartRate: 60, usual: usual), goodBeats: 60, baselineWeight: 0.5)
  #expect(abs(try #require(confidence[.lowHRV]) - factor) < 1e-9)
  let young = Confidence(inputs(hrv: hrv, heartRate: 60, usual: usual), goodBeats: 60, baselineWeight: 0.49)
  #expect(young[.lowHRV] == (hrv < 20 ? 0.5 : 1))
}

@Test(
  "With a personal baseline, the range of the heart rate depends on the resting rate",
  arguments: [
    (39, 45, 1), (30, 45, 1), (26.25, 45, 0.8), (22.5, 45, 0.6), (180, 60, 1), (190, 60, 0.8), (200, 60, 0.6),
    (60, 60, 1), (250, 190, 0.6),
  ] as [(Double, Double, Double)])
func personalHeartRate(heartRate: Double, resting: Double, factor: Double) throws {
  let confidence = Confidence(
    inputs(hrv: 50, heartRate: heartRate, resting: resting), goodBeats: 60, baselineWeight: 0.8)
  #expect(abs(try #require(confidence[.heartRateRange]) - factor) < 1e-9)
}

@Test("The personal factors have no step") func continuousFactors() throws {
  var last: (hrv: Double, rate: Double)?
  for step in 0...4000 {
    let (hrv, rate) = (Double(step) / 50, 20 + Double(step) / 20)
    let confidence = Confidence(inputs(hrv: hrv, heartRate: rate), goodBeats: 60, baselineWeight: 1)
    let now = (hrv: try #require(confidence[.lowHRV]), rate: try #require(confidence[.heartRateRange]))
    if let last { #expect(abs(now.hrv - last.hrv) < 0.005 && abs(now.rate - last.rate) < 0.005) }
    last = now
  }
}

@Test(
  "HRV, heart rate and sample count determine their factors",
  arguments: [
    (20, 40, 10, 1), (20, 180, 100, 1), (19.999, 60, 10, 0.5), (0, 60, 10, 0.5), (50, 39.999, 10, 0.6),
    (50, 180.001, 10, 0.6), (50, 60, 1, 0.7), (50, 60, 4, 0.8), (50, 60, 0, 0), (10, 200, 1, 0.5 * 0.6 * 0.7),
  ] as [(Double, Double, Int, Double)])
func numbersOnly(hrv: Double, heartRate: Double, beats: Int, value: Double) {
  let confidence = Confidence(inputs(hrv: hrv, heartRate: heartRate), goodBeats: beats)
  #expect(abs(confidence.value - value) < 1e-12)
  #expect(confidence.known.map(\.factor) == [.lowHRV, .heartRateRange, .sampleCount])
}

@Test("An unknown number of beats gives no sample count factor") func unknownSampleCount() {
  #expect(Confidence(inputs(hrv: 50, heartRate: 60), goodBeats: nil)[.sampleCount] == nil)
}

/// Checks a curve against a table of inputs and factors.
private func expect(_ curve: (Double) -> Double, _ table: [(Double, Double)], _ name: String) {
  for (x, factor) in table { #expect(abs(curve(x) - factor) < 1e-9, "\(name) at \(x)") }
}

@Test("The factors of rhythm and baseline follow their curves") func curvesOfFractions() {
  expect(ConfidenceCurves.rhythm, [(0, 1), (0.3, 1), (0.375, 0.5), (0.45, 0), (1, 0)], "rhythm")
  expect(ConfidenceCurves.baseline, [(-5, 0.9), (0, 0.9), (0.5, 0.95), (1, 1), (400, 1)], "baseline")
}

@Test("The sample count factor increases up to ten beats") func sampleCountCurve() {
  for count in 1...300 {
    #expect(ConfidenceCurves.sampleCount(count) == 0.7 + 0.3 * min(1, Double(count - 1) / 9))
  }
}

private let disturbances: [(WindowQuality.Quantity, undisturbed: Double)] = [
  (.abnormalBeats, 0), (.lostData, 0), (.contactLost, 0), (.tail, 0.06), (.noise, 0.123),
]

/// The quantities of a window in the order of ``disturbances``.
private func quality(_ values: [Double]) -> WindowQuality {
  var quality = WindowQuality.undisturbed
  for (place, value) in values.enumerated() { quality[disturbances[place].0] = value }
  return quality
}

extension DisturbanceFactors {
  /// In the order of ``disturbances``.
  fileprivate var values: [Double] { [abnormalBeats, lostData, contact, tail, noise] }
  fileprivate var product: Double { values.reduce(1, *) }
}

@Test("The factors of disturbances are 1 in undisturbed windows", arguments: [5, 25, 50, 100] as [Double])
func undisturbedFactors(hrv: Double) throws {
  let score = try StressScore(inputs(hrv: hrv, heartRate: 70))
  for quantities in [disturbances.map(\.undisturbed), [0, 0, 0, 0, 0]] {
    #expect(DisturbanceFactors(quality(quantities), score).values == [1, 1, 1, 1, 1])
    #expect(DisturbanceFactors(quality(quantities), nil).values == [1, 1, 1, 1, 1])
  }
}

@Test(
  "Each disturbance lowers its own factor only, and more of it lowers it further",
  arguments: [0, 1, 2, 3, 4],
  [25, 50, 100] as [Double])
func oneDisturbance(place: Int, hrv: Double) throws {
  let score = try StressScore(inputs(hrv: hrv, heartRate: 70))
  var last = 1.0
  for step in 1...20 {
    var quantities = disturbances.map(\.undisturbed)
    quantities[place] += Double(step) / 40
    let factors = DisturbanceFactors(quality(quantities), score).values
    #expect(factors[place] < last && factors[place] > 0)
    #expect(factors.enumerated().allSatisfy { $0.offset == place || $0.element == 1 })
    last = factors[place]
  }
}

/// The confidence of Research/reliability/model.py.
@Test(
  "The product of the factors of disturbances follows the sum of log odds",
  arguments: [1, 2, 3, 4] as [UInt64])
func sumOfLogOdds(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<500 {
    let values = [0.3, 0.4, 1, 0.8, 0.9].map { Double.random(in: 0...1, using: &random) < 0.5 ? 0 : $0 * 0.6 }
    let score = try StressScore(
      inputs(hrv: .random(in: 1...150, using: &random), heartRate: .random(in: 45...150, using: &random)))
    let factors = DisturbanceFactors(quality(values), score)
    let tailFall = 2.8 * max(0, values[3] - 0.06)
    let noiseFall = max(0, 1 / (1 - min(0.98, values[4] / 0.71)).squareRoot() - 1.1)
    let fall = 1.2 * values[0] + values[1] + values[2] + tailFall + noiseFall
    let (ratio, rise) = (score.inputs.hrv / 50, max(1, score.inputs.heartRate / 60))
    let limit = score.hrvMargin + 0.03
    let logOdds =
      Double.log(fall) - .log(8 * limit) + .log(ratio) + 2 * .log(rise) + 3 * min(0, .log(2 * ratio))
      + max(0, .log(2.7 * (tailFall + 0.03) / limit))
    let calibrated = logOdds + 2 * min(0, logOdds - .log(0.25)) - 0.25 * max(0, logOdds)
    let expected = fall > 0 ? 1 / (1 + Double.exp(calibrated)) : 1
    #expect(abs(factors.product - expected) < 1e-12)
    // The logarithms of the factors are in proportion to the falls.
    #expect(abs(.log(factors.abnormalBeats) * values[1] - .log(factors.lostData) * 1.2 * values[0]) < 1e-9)
  }
}

@Test("The lost data factor depends on the missing differences only") func lostDataOfWindows() {
  func lost(_ found: Int) -> Double { WindowQuality.lostData(found: found, meanNN: 1000, length: 60) }
  #expect(lost(59) == 0 && lost(57) == 0 && lost(100) == 0)
  #expect(abs(lost(30) - (1.0 / 30 - 1.0 / 57).squareRoot()) < 1e-12)
  #expect(lost(0) == 1 && WindowQuality.lostData(found: 5, meanNN: nil, length: 60) == 1)
}

@Test(
  "The margin of HRV is the change that 10 points of stress require",
  arguments: [(50, 0.0954), (45, nil), (25, nil), (100, nil), (12, nil)] as [(Double, Double?)])
func hrvMargin(hrv: Double, expected: Double?) throws {
  let score = try StressScore(inputs(hrv: hrv, heartRate: 60))
  let lower = try StressScore(inputs(hrv: hrv / (1 + score.hrvMargin), heartRate: 60))
  #expect(abs(lower.value - score.value - 10) < 1e-9)
  if let expected { #expect(abs(score.hrvMargin - expected) < 1e-3) }
}

@Test("The margin of HRV is large where HRV does not change the score", arguments: [0, 0.001, 1])
func largestMargin(hrv: Double) throws {
  #expect(try StressScore(inputs(hrv: hrv, heartRate: 60)).hrvMargin == 19)
}

@Test("The sensor factor decreases with repeated intervals") func sensorCurve() {
  /// A series in which only every `step`th interval differs from the previous one.
  func sensor(_ count: Int, step: Int) -> Double {
    let rr = (0..<count).map { RRInterval(gattUnits: 512 + UInt16($0 / step)) }
    let sums = NNSeries(raw: rr).sums
    return ConfidenceCurves.sensor(
      sums.unchangedFraction, of: sums.differences, nil, couldBeAveraged: false)
  }
  #expect(sensor(20, step: 100) == 1)
  #expect(abs(sensor(21, step: 100) - 0.1) < 1e-9)
  #expect(sensor(61, step: 1) == 1 && sensor(61, step: 2) == 1)
  #expect(abs(sensor(61, step: 4) - 0.55) < 1e-9)
  #expect(abs(sensor(61, step: 10) - 0.1) < 1e-9)
}
