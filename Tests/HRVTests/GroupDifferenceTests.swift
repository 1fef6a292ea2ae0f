import Testing

@testable import HRV

/// Expected values: scipy.stats (t, ttest_ind with equal_var=False, ttest_rel) and the formulas of Hedges and Cohen.
@Suite struct GroupDifferenceTests {
  private static let a = [3.2, 3.9, 4.1, 2.8, 3.6, 4.4]
  private static let b = [3.9, 4.2, 4.6, 3.1, 4.4]

  @Test(arguments: [
    (2.0, 3.0, 0.13932596855884305), (0.5, 1.7, 0.6741845249243278), (5, 30, 2.32966854670078e-05),
    (12, 200, 2.422136005246625e-25), (-2, 3, 0.13932596855884305), (0, 7, 1), (1, 1, 0.5),
  ])
  func pValuesEqualSciPy(t: Double, freedom: Double, expected: Double) {
    #expect(agree(StudentT.pValue(t, degreesOfFreedom: freedom), expected, 1e-9))
  }

  @Test(arguments: [
    (0.05, 1.0, 12.706204736174705), (0.5, 1, 1), (0.05, 4.3, 2.7016948982822315),
    (0.01, 30, 2.749995653567226),
  ])
  func quantilesEqualSciPy(p: Double, freedom: Double, expected: Double) {
    #expect(agree(StudentT.quantile(p, degreesOfFreedom: freedom), expected, 1e-9))
  }

  @Test func independentGroupsEqualSciPy() throws {
    let result = try GroupDifference(from: Self.a, to: Self.b)
    #expect(agree(result.t, 1.0474153366876127, 1e-10))
    #expect(agree(result.p, 0.32319883944086847, 1e-9))
    #expect(agree(result.degreesOfFreedom, 8.67925270839202, 1e-10))
    #expect(agree(result.interval.lowerBound, -0.43753916132875836, 1e-8))
    #expect(agree(result.interval.upperBound, 1.1842058279954255, 1e-8))
    #expect(agree(result.effect, 0.579230983652643, 1e-10))
  }

  @Test func pairedGroupsEqualSciPy() throws {
    let result = try GroupDifference(pairs: zip(Self.a, Self.b).map { (a: $0, b: $1) })
    #expect(agree(result.t, 5.099019513592788, 1e-9))
    #expect(agree(result.p, 0.006987374665319724, 1e-9))
    #expect(agree(result.interval.lowerBound, 0.23685704460354584, 1e-8))
    #expect(agree(result.interval.upperBound, 0.8031429553964544, 1e-8))
    #expect(agree(result.effect, 2.2803508501982774, 1e-9))
    #expect(result.degreesOfFreedom == 4)
  }

  @Test func oneValueAndEqualValuesHaveNoTest() {
    #expect(throws: GroupDifference.Reason.tooFewValues(found: 1, needed: 2)) {
      try GroupDifference(from: [1], to: [2, 3])
    }
    #expect(throws: GroupDifference.Reason.unchanging) { try GroupDifference(from: [1, 1], to: [2, 2]) }
    #expect(throws: GroupDifference.Reason.unchanging) {
      try GroupDifference(pairs: [(a: 1, b: 2), (a: 3, b: 4)])
    }
  }

  @Test func theThresholdOfAlpha1IsWhereTheLineCrosses() throws {
    let windows = stride(from: 100.0, through: 170, by: 10).map {
      AlphaThreshold.Window(heartRate: $0, alpha1: 1.2 - 0.01 * ($0 - 100), artefactFraction: 0.01)
    }
    let found = try AlphaThreshold(windows)
    // 1.2 - 0.01 x = 0.75 at 45 bpm above 100; the windows from 120 to 170 bpm have alpha1 from 1.0 to 0.5.
    #expect(agree(found.heartRate, 145, 1e-9) && agree(found.slope, -0.01, 1e-9))
    #expect(agree(found.rSquared, 1, 1e-9) && (5...6).contains(found.windows))
  }

  @Test func windowsWithArtefactsAndARisingAlpha1GiveNoThreshold() {
    let rising = [90.0, 100, 110, 120].map {
      AlphaThreshold.Window(heartRate: $0, alpha1: $0 / 150, artefactFraction: 0)
    }
    #expect(throws: AlphaThreshold.Reason.notFalling) { try AlphaThreshold(rising) }
    let disturbed = rising.map {
      AlphaThreshold.Window(heartRate: $0.heartRate, alpha1: $0.alpha1, artefactFraction: 0.06)
    }
    #expect(throws: AlphaThreshold.Reason.tooFewWindows(found: 0, needed: 4)) {
      try AlphaThreshold(disturbed)
    }
    let high = [130.0, 135, 140, 145].map {
      AlphaThreshold.Window(heartRate: $0, alpha1: 2 - $0 / 125, artefactFraction: 0)
    }
    #expect(throws: AlphaThreshold.Reason.notCrossed) { try AlphaThreshold(high) }
  }
}
