import HRV
import HeartRate
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
  #expect(confidence.known.map(\.value) == (0..<11).map { Double($0) / 10 })
  #expect(Set(Confidence.Factor.allCases.map(\.rawValue)).count == 11)
  #expect(Set(Confidence.Factor.allCases.map(\.reason)).count == 11)
}

@Test(
  "HRV, heart rate and sample count determine their factors",
  arguments: [
    (20, 40, 10, 1), (20, 180, 100, 1), (19.999, 60, 10, 0.5), (0, 60, 10, 0.5), (50, 39.999, 10, 0.6),
    (50, 180.001, 10, 0.6), (50, 60, 1, 0.7), (50, 60, 4, 0.8), (50, 60, 0, 0), (10, 200, 1, 0.5 * 0.6 * 0.7),
  ] as [(Double, Double, Int, Double)])
func numbersOnly(hrv: Double, heartRate: Double, beats: Int, value: Double) {
  let confidence = Confidence(hrv: hrv, heartRate: heartRate, goodBeats: beats)
  #expect(abs(confidence.value - value) < 1e-12)
  #expect(confidence.known.map(\.factor) == [.lowHRV, .heartRateRange, .sampleCount])
}

@Test("An unknown number of beats gives no sample count factor") func unknownSampleCount() {
  #expect(Confidence(hrv: 50, heartRate: 60, goodBeats: nil)[.sampleCount] == nil)
}

/// Checks a curve against a table of inputs and factors.
private func expect(_ curve: (Double) -> Double, _ table: [(Double, Double)], _ name: String) {
  for (x, factor) in table { #expect(abs(curve(x) - factor) < 1e-9, "\(name) at \(x)") }
}

@Test("The factors of artefacts, rhythm, contact and baseline follow their curves") func curvesOfFractions() {
  expect(ConfidenceCurves.artefacts, [(0, 1), (0.02, 1), (0.135, 0.5), (0.25, 0), (1, 0)], "artefacts")
  expect(ConfidenceCurves.rhythm, [(0, 1), (0.08, 1), (0.165, 0.5), (0.25, 0), (1, 0)], "rhythm")
  expect(ConfidenceCurves.contact, [(0, 1), (0.5, 0.6), (1, 0.2)], "contact")
  expect(ConfidenceCurves.baseline, [(-5, 0.9), (0, 0.9), (15, 0.95), (30, 1), (400, 1)], "baseline")
}

@Test("The window fill factor increases with the covered time") func windowFillCurve() {
  func fill(_ count: Int, _ meanNN: Double?) -> Double {
    ConfidenceCurves.windowFill(count, meanNN: meanNN, length: 60)
  }
  #expect(fill(0, nil) == 0.4)
  #expect(abs(fill(1, 1000) - 0.43) < 1e-9)
  #expect(abs(fill(28, 1000) - 0.7) < 1e-9)
  #expect(fill(57, 1000) < 1)
  #expect(fill(58, 1000) == 1 && fill(200, 1000) == 1)
}

@Test("Shortcuts of the curves equal the complete formulas, bit for bit") func shortcuts() {
  for count in 1...300 {
    #expect(ConfidenceCurves.sampleCount(count) == 0.7 + 0.3 * min(1, Double(count - 1) / 9))
    for meanNN in [333.3, 600, 1000.1] {
      let filled = meanNN / 1000 * Double(count + 2) / 60
      #expect(
        ConfidenceCurves.windowFill(count, meanNN: meanNN, length: 60) == 0.4 + 0.6 * min(1, filled))
    }
    let fraction = Double(count) / 1000
    #expect(ConfidenceCurves.artefacts(fraction) == min(1, max(0, (0.25 - fraction) / (0.25 - 0.02))))
  }
}

@Test("The coverage factor decreases with lost and duplicate notifications") func coverageCurve() {
  func coverage(_ fraction: Double, meanNN: Double? = 1000) -> Double {
    ConfidenceCurves.coverage(fraction, span: 60 * RRInterval.ticksPerSecond, meanNN: meanNN)
  }
  for fraction in [1, 0.951, 1.049] { #expect(coverage(fraction) == 1) }
  for fraction in [0, 0.5, 1.5, 3] { #expect(coverage(fraction) == 0) }
  for fraction in [0.725, 1.275] { #expect(abs(coverage(fraction) - 0.5) < 1e-9) }
  // Two RR of 3 s are a tenth of the minute.
  #expect(coverage(0.9001, meanNN: 3000) == 1 && coverage(0.9001) < 0.9)
  #expect(coverage(0.951, meanNN: nil) == 1)
}

@Test("The sensor factor decreases with repeated intervals") func sensorCurve() {
  /// A series in which only every `step`th interval differs from the previous one.
  func sensor(_ count: Int, step: Int) -> Double {
    let rr = (0..<count).map { RRInterval(gattUnits: 512 + UInt16($0 / step)) }
    let sums = NNSeries(raw: rr).sums
    return ConfidenceCurves.sensor(sums.unchangedFraction, of: sums.differences, nil)
  }
  #expect(sensor(20, step: 100) == 1)
  #expect(abs(sensor(21, step: 100) - 0.1) < 1e-9)
  #expect(sensor(61, step: 1) == 1 && sensor(61, step: 2) == 1)
  #expect(abs(sensor(61, step: 4) - 0.55) < 1e-9)
  #expect(abs(sensor(61, step: 10) - 0.1) < 1e-9)
}
