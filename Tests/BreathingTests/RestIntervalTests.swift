import Breathing
import BreathingTestSupport
import HRV
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.isAvailable)) struct RestIntervalTests {
  @Test("The constants exceed the variation between real minutes by at most 15 %")
  func minutes() throws {
    let measured = try RestSpread(seconds: 60)
    #expect(measured.pairs > 1000)
    #expect((1...1.15).contains(RestInterval.heartRateSD / measured.heartRate), "\(measured)")
    #expect((1...1.15).contains(RestInterval.lnSDNNSD / measured.lnSDNN), "\(measured)")
  }

  @Test("Longer rests differ by no more than the model predicts")
  func fiveMinutes() throws {
    let measured = try RestSpread(seconds: 300)
    let fraction = MetricDifference.relativeVariance(seconds: 300).squareRoot()
    // Thirty pairs determine it within about 20 %.
    #expect(measured.heartRate < 1.2 * fraction * RestInterval.heartRateSD, "\(measured)")
    #expect(measured.lnSDNN < 1.2 * fraction * RestInterval.lnSDNNSD, "\(measured)")
  }
}
