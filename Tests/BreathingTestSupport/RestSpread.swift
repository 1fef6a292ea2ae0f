import HRV
import RealModule
import TestSupport

/// The variation of heart rate, SDNN and RMSSD between two windows of one real, undisturbed rest.
/// docs/design/breathing.md contains the results.
package struct RestSpread {
  package let pairs: Int
  /// Standard deviations of the differences: of heart rate in bpm, of ln SDNN and of ln RMSSD.
  package let heartRate: Double
  package let lnSDNN: Double
  package let lnRMSSD: Double

  /// - Parameter seconds: Length of the windows.
  package init(seconds: Int) throws {
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
