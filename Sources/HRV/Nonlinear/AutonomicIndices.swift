/// Indices of parasympathetic and sympathetic activity: means of z-scores relative to healthy adults at rest.
///
/// The inputs are those of Kubios HRV (Tarvainen et al., Kubios HRV User's Guide): mean NN, RMSSD and SD1 in
/// normalised units for the PNS index; mean heart rate, the square root of Baevsky's stress index and SD2 in
/// normalised units for the SNS index. Zero is the mean of the population, and one its standard deviation. Kubios
/// weights the z-scores with factors that are not published; here their weights are equal, so the values differ.
///
/// The population is that of Nunan et al. (2010): mean NN 926 (SD 90) ms, RMSSD 42 (15) ms, SDNN 50 (16) ms. The other
/// means follow from these: mean heart rate 64.8 (6.3) bpm, SD1 31.6 (12.6) % and SD2 68.4 (12.6) % of SD1 + SD2
/// (first-order propagation with independent RMSSD and SDNN). The stress index of rest is 50 to 150 %/s^2 (Baevsky &
/// Berseneva 2008), taken as the mean plus and minus one SD of its square root.
public struct AutonomicIndices: Equatable, Sendable {
  /// Mean and standard deviation of a quantity in the population.
  struct Norm: Equatable, Sendable {
    let mean: Double
    let deviation: Double

    func score(_ value: Double) -> Double { (value - mean) / deviation }
  }

  static let meanNN = Norm(mean: 926, deviation: 90)
  static let rmssd = Norm(mean: 42, deviation: 15)
  static let normalisedSD1 = Norm(mean: 31.6, deviation: 12.6)
  static let meanHeartRate = Norm(mean: 64.8, deviation: 6.3)
  static let stressRoot = Norm(mean: 9.66, deviation: 2.59)
  static let normalisedSD2 = Norm(mean: 68.4, deviation: 12.6)

  /// Parasympathetic index; dimensionless.
  public let parasympathetic: Metric
  /// Sympathetic index; dimensionless.
  public let sympathetic: Metric

  /// Computes the indices. Absent below 100 NN intervals, if all are equal, and without successive differences.
  public init(_ segments: NNSegments) {
    let sums = NNSums(segments)
    let stress = StressIndex(segments).value
    parasympathetic = Metric { () throws(Absence) in
      try segments.require(StressIndex.minimumBeats)
      guard let nn = sums.meanNN, let rmssd = sums.rmssd, let sd1 = Self.percentSD1(sums) else {
        throw .undefined
      }
      return (Self.meanNN.score(nn) + Self.rmssd.score(rmssd) + Self.normalisedSD1.score(sd1)) / 3
    }
    sympathetic = Metric { () throws(Absence) in
      if let absence = stress.absence { throw absence }
      guard let rate = sums.meanHeartRate, let index = stress.value, let sd1 = Self.percentSD1(sums) else {
        throw .undefined
      }
      return
        (Self.meanHeartRate.score(rate) + Self.stressRoot.score(index.squareRoot())
        + Self.normalisedSD2.score(100 - sd1)) / 3
    }
  }

  /// SD1 in percent of SD1 + SD2.
  private static func percentSD1(_ sums: NNSums) -> Double? {
    guard let sd1 = sums.sd1, let sd2 = sums.sd2, sd1 + sd2 > 0 else { return nil }
    return 100 * sd1 / (sd1 + sd2)
  }
}
