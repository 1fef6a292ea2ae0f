import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

struct ComparisonTests {
  /// `count` intervals that alternate around 1 s; RMSSD is twice `swing` ms.
  private func side(swing: Double, count: Int = 61, trust: Double = 1) -> RMSSDChange.Side {
    let lengths = (0..<count).map { 1000 + ($0 % 2 == 0 ? swing : -swing) }
    return .init(sums: NNSeries(raw: intervals(lengths)).sums, trust: trust)
  }

  @Test("A comparison of two minutes equals the manual calculation")
  func minutes() throws {
    let change = try RMSSDChange(from: side(swing: 20), to: side(swing: 40))
    #expect(abs(change.difference - .log(2)) < 1e-12)
    // 60 differences of 1 s cover 60 s; t with 8 degrees of freedom is 2.306.
    #expect(abs(change.smallestDetectable - 2.306 * 0.25) < 2e-3)
    #expect(change.isChanged && change.low > 0)
    #expect(abs(change.ratio.value - 2) < 1e-9 && change.ratio.low > 1.1 && change.ratio.high < 3.6)
    let smaller = try RMSSDChange(from: side(swing: 20), to: side(swing: 30))
    #expect(!smaller.isChanged && smaller.low < 0 && smaller.high > 0)
    #expect(abs(smaller.smallestDetectableRatio - .exp(change.smallestDetectable)) < 0.01)
  }

  @Test("Longer windows detect smaller changes, down to the persistent variance")
  func lengths() throws {
    func smallest(_ count: Int) throws -> Double {
      try RMSSDChange(from: side(swing: 20, count: count), to: side(swing: 20, count: count))
        .smallestDetectable
    }
    let (one, five, day) = (try smallest(61), try smallest(301), try smallest(86_401))
    #expect(abs(five / one - 0.52.squareRoot()) < 1e-3)
    #expect(abs(day / one - 0.4.squareRoot()) < 1e-2)
  }

  @Test("Swapping the periods negates the difference and keeps the result")
  func symmetry() throws {
    for swing in [21.0, 30, 60] {
      let there = try RMSSDChange(from: side(swing: 20), to: side(swing: swing, count: 200))
      let back = try RMSSDChange(from: side(swing: swing, count: 200), to: side(swing: 20))
      #expect(there.difference == -back.difference && there.isChanged == back.isChanged)
      #expect(there.smallestDetectable == back.smallestDetectable)
    }
  }

  @Test("Unsuitable periods are rejected with a reason")
  func reasons() {
    let good = side(swing: 20)
    func reason(_ a: RMSSDChange.Side, _ b: RMSSDChange.Side) -> RMSSDChange.Reason? {
      do throws(RMSSDChange.Reason) {
        _ = try RMSSDChange(from: a, to: b)
        return nil
      } catch { return error }
    }
    #expect(reason(side(swing: 20, count: 21), good) == .tooShort(.a, seconds: 20.019047619047619))
    #expect(reason(good, .init(sums: NNSums(), trust: 1)) == .tooShort(.b, seconds: 0))
    #expect(reason(good, side(swing: 0)) == .noVariation(.b))
    #expect(reason(good, side(swing: 20, trust: 0.49)) == .untrusted(.b, trust: 0.49))
    #expect(reason(good, side(swing: 20, trust: 0.5)) == nil)
  }

  @Test("Own rests replace the population default from 20 degrees of freedom")
  func ownHistory() {
    var random = SeededGenerator(seed: 3)
    func rests(_ count: Int, deviation: Double) -> [[Double]] {
      (0..<count).map { _ in
        let level = Double.random(in: 2...5, using: &random)
        return (0..<8).map { _ in level + deviation * SyntheticBeats.gaussian(&random) }
      }
    }
    #expect(RestVariability(rests: []) == .populationDefault)
    #expect(RestVariability(rests: rests(2, deviation: 0.1)) == .populationDefault)
    #expect(RestVariability(rests: (0..<100).map { _ in [3.5] }) == .populationDefault)
    let steady = RestVariability(rests: rests(60, deviation: 0.1))
    #expect(abs(steady.differenceSD - 0.1 * 2.0.squareRoot()) < 0.02)
    #expect(steady.windows == 480 && steady.degreesOfFreedom == 428)
    #expect(RestVariability(rests: rests(60, deviation: 0.3)).differenceSD > 0.38)
    let odd = RestVariability(rests: [[.nan, .infinity, 3], [-.infinity]])
    #expect(odd == .populationDefault)
  }

  @Test("Minutes that are close in time and heart rate form a rest")
  func grouping() {
    func minute(_ session: Int64, _ second: Int64, _ rmssd: Double, _ rate: Double = 60) -> RestingMinute {
      RestingMinute(
        session: session, end: SessionTime(ticks: second * RRInterval.ticksPerSecond), rmssd: rmssd,
        heartRate: rate)
    }
    // Three rests of ten minutes; only every sixth window counts, because the windows overlap.
    let steady = (1...180).map { minute(1, Int64($0) * 10, $0 % 12 < 6 ? 30 : 40) }
    let found = RestVariability(minutes: steady)
    #expect(found.windows == 30 && found.degreesOfFreedom == 35)
    let rests = (0..<3).map { _ in (0..<10).map { Double.log($0 % 2 == 0 ? 30 : 40) } }
    #expect(abs(found.differenceSD - RestVariability(rests: rests).differenceSD) < 1e-12)
    // Minutes of different sessions or heart rates are rests of one minute each, which carry no information.
    #expect(RestVariability(minutes: (0..<40).map { minute($0, 60, 30) }) == .populationDefault)
    #expect(
      RestVariability(minutes: (0..<40).map { minute(1, 60 * $0, 30, $0 % 2 == 0 ? 60 : 80) })
        == .populationDefault)
    #expect(RestVariability(minutes: (0..<40).map { minute(1, 60 * $0, 0) }) == .populationDefault)
  }

  @Test(
    "Quantiles of Student's t equal the tables",
    arguments: [(4.0, 2.776), (8, 2.306), (20, 2.086), (60, 2.000), (1e9, 1.960)])
  func quantiles(freedom: Double, quantile: Double) {
    #expect(abs(StudentT.quantile95(degreesOfFreedom: freedom) - quantile) < 1.1e-3)
  }

  @Test("The interval of another metric equals the manual calculation")
  func otherMetrics() throws {
    let difference = MetricDifference(from: (50, [48, 50, 52]), to: (60, [58, 60, 62]))
    #expect(difference.difference == 10)
    // Variance 16 / 4 = 4; t with 4 degrees of freedom is 2.776; factor 1/3 + 1/3 + 2 * 0.4 / 0.6.
    let expected = 2.776 * (4 * (2.0 / 3 + 4.0 / 3)).squareRoot()
    #expect(abs(try difference.halfWidth.get() - expected) < 0.01)
    for (a, b) in [(0, 9), (9, 0), (2, 3), (0, 0)] {
      let few = MetricDifference(
        from: (1, Array(repeating: 1, count: a)), to: (2, Array(repeating: 2, count: b)))
      #expect(throws: MetricDifference.Reason.tooFewWindows(found: a + b, needed: 6)) {
        try few.halfWidth.get()
      }
    }
  }
}

/// Comparisons of pairs of windows of real, undisturbed rest. docs/design/comparison.md contains the results.
struct UndisturbedRestTests {
  @Test(
    "At most one in ten pairs of the same rest is reported as changed", .enabled(if: SharedData.isAvailable),
    arguments: [60, 300])
  func falseChanges(seconds: Int) throws {
    let rests = try UndisturbedRest.all()
    #expect(rests.count > 20)
    let changes = rests.flatMap { $0.pairs(seconds: seconds) }.compactMap {
      try? RMSSDChange(from: .init(sums: $0, trust: 1), to: .init(sums: $1, trust: 1))
    }
    let squares = changes.reduce(0) { $0 + $1.difference * $1.difference }
    let rms = (squares / Double(changes.count)).squareRoot()
    let changed = changes.count(where: \.isChanged)
    #expect(changes.count >= 20)
    #expect(changed * 10 <= changes.count, "\(changed) of \(changes.count), rms \(rms)")
    #expect(rms < 0.3, "the recording is not undisturbed rest")
  }
}
