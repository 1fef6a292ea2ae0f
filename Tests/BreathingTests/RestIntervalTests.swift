import Breathing
import HRV
import RealModule
import TestSupport
import Testing

/// The variation of heart rate, SDNN and RMSSD between two windows of one real, undisturbed rest.
/// docs/design/breathing.md contains the results.
struct RestSpread {
  let pairs: Int
  /// Standard deviations of the differences: of heart rate in bpm, of ln SDNN and of ln RMSSD.
  let heartRate: Double
  let lnSDNN: Double
  let lnRMSSD: Double

  init(seconds: Int) throws {
    let pairs = try UndisturbedRest.all().flatMap { $0.pairs(seconds: seconds) }
    func deviation(_ value: (NNSums) -> Double?) -> Double {
      let squares = pairs.compactMap { a, b -> Double? in
        guard let x = value(a), let y = value(b) else { return nil }
        return (y - x) * (y - x)
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    self.pairs = pairs.count
    heartRate = deviation(\.meanHeartRate)
    lnSDNN = deviation { $0.sdnn.map { .log($0) } }
    lnRMSSD = deviation { $0.rmssd.map { .log($0) } }
  }
}

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
    let prior = RestVariability.populationDefault
    let fraction = (prior.variance(seconds: 300) / prior.variance(seconds: 60)).squareRoot()
    // Thirty pairs determine it within about 20 %.
    #expect(measured.heartRate < 1.2 * fraction * RestInterval.heartRateSD, "\(measured)")
    #expect(measured.lnSDNN < 1.2 * fraction * RestInterval.lnSDNNSD, "\(measured)")
  }
}

/// Prints the figures of docs/design/breathing.md: STRESSMON_FIGURES=1 swift test --filter RestIntervalFigures
@Suite(.enabled(if: Figures.areWanted && SharedData.isAvailable)) struct RestIntervalFigures {
  @Test("The variation between rests is printed", arguments: [60, 300]) func spread(seconds: Int) throws {
    let spread = try RestSpread(seconds: seconds)
    print(
      "rests of \(seconds) s, \(spread.pairs) pairs: SD of the difference of heart rate \(spread.heartRate) bpm,"
    )
    print("  of ln SDNN \(spread.lnSDNN), of ln RMSSD \(spread.lnRMSSD)")
  }
}
