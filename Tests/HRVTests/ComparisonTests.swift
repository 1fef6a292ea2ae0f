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
    let change = try RMSSDChange(from: side(swing: 20), to: side(swing: 40), extent: 120)
    #expect(abs(change.difference - .log(2)) < 1e-12)
    // 60 differences of 1 s cover 60 s; t with 8 degrees of freedom is 2.306.
    #expect(abs(change.smallestDetectable - 2.306 * 0.21) < 2e-3)
    #expect(change.isChanged && change.low > 0)
    #expect(abs(change.ratio.value - 2) < 1e-9 && change.ratio.low > 1.05 && change.ratio.high < 3.7)
    let smaller = try RMSSDChange(from: side(swing: 20), to: side(swing: 30), extent: 120)
    #expect(!smaller.isChanged && smaller.low < 0 && smaller.high > 0)
    #expect(abs(smaller.smallestDetectableRatio - .exp(change.smallestDetectable)) < 0.01)
  }

  @Test(
    "Periods that are further apart have to differ more, up to an extent of four minutes",
    arguments: [(0, 0.21), (120, 0.21), (180, 0.26), (240, 0.31), (1e6, 0.31), (nil, 0.31)]
      as [(Double?, Double)])
  func extents(extent: Double?, deviation: Double) throws {
    let change = try RMSSDChange(from: side(swing: 20), to: side(swing: 20), extent: extent)
    #expect(abs(change.smallestDetectable - 2.306 * deviation) < 2e-3)
  }

  @Test("Longer windows detect smaller changes, down to a third of the variance")
  func lengths() throws {
    func smallest(_ count: Int) throws -> Double {
      try RMSSDChange(from: side(swing: 20, count: count), to: side(swing: 20, count: count))
        .smallestDetectable
    }
    let (one, two, five, day) = (
      try smallest(61), try smallest(121), try smallest(301), try smallest(86_401)
    )
    #expect(abs(two / one - 0.5.squareRoot()) < 1e-3)
    #expect(abs(five / one - 0.33.squareRoot()) < 1e-3 && five == day)
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

  @Test("Own rests are combined with the population default from the first rest on")
  func ownHistory() {
    var random = SeededGenerator(seed: 3)
    func rests(_ count: Int, deviation: Double) -> [[Double]] {
      (0..<count).map { _ in
        let level = Double.random(in: 2...5, using: &random)
        return (0..<8).map { _ in level + deviation * SyntheticBeats.gaussian(&random) }
      }
    }
    #expect(RestVariability(rests: []) == .populationDefault)
    #expect(RestVariability(rests: (0..<100).map { _ in [3.5] }) == .populationDefault)
    let first = RestVariability(rests: [[3, 3.2]])
    // One degree of freedom with a variance of 0.04 for differences, and 160 of the population default.
    #expect(first.windows == 2)
    #expect(abs(first.differenceSD - ((160 * 0.265 * 0.265 + 0.04) / 161).squareRoot()) < 1e-12)
    let steady = RestVariability(rests: rests(60, deviation: 0.1))
    #expect(steady.windows == 480 && (0.16...0.20).contains(steady.differenceSD))
    let long = RestVariability(rests: rests(2000, deviation: 0.1))
    #expect(abs(long.differenceSD - 0.1 * 2.0.squareRoot()) < 0.005)
    #expect(RestVariability(rests: rests(60, deviation: 0.3)).differenceSD > 0.36)
    let odd = RestVariability(rests: [[.nan, .infinity, 3], [-.infinity]])
    #expect(odd == .populationDefault)
  }

  @Test("An uneven window has a wider interval than an even one of the same RMSSD")
  func unevenWindows() throws {
    func beats(_ swings: [Double]) -> [Beat] {
      var end = SessionTime.zero
      return swings.enumerated().compactMap { place, swing in
        RRInterval(milliseconds: 1000 + (place.isMultiple(of: 2) ? swing : -swing)).map { rr in
          end = end + rr
          return Beat(end: end, rr: rr, verdict: .normal, followsBreak: place == 0)
        }
      }
    }
    let even = BlockVariation(of: beats(Array(repeating: 20, count: 61)))
    // Six equal blocks, and three degrees of freedom of the average.
    #expect(abs(even.relative - 3.0 / 8) < 1e-9)
    let sigh = beats(Array(repeating: 10, count: 51) + Array(repeating: 40, count: 10))
    let uneven = BlockVariation(of: sigh)
    #expect(uneven.relative == 4)
    func smallest(_ variation: BlockVariation) throws -> Double {
      let side = RMSSDChange.Side(sums: side(swing: 20).sums, variation: variation, trust: 1)
      return try RMSSDChange(from: side, to: side).smallestDetectable
    }
    #expect(try smallest(even) < smallest(.average) && smallest(.average) < smallest(uneven))
    #expect(BlockVariation(of: beats([20, 20, 20])) == .average && BlockVariation(of: []) == .average)
    #expect(BlockVariation(of: beats(Array(repeating: 0, count: 61))) == .average)
  }

  @Test("The variation between blocks depends neither on scale nor on artefacts outside of the differences")
  func blockVariation() {
    var random = SeededGenerator(seed: 7)
    var end = SessionTime.zero
    let lengths = (0..<200).map { _ in Double.random(in: 700...900, using: &random) }
    func beats(scale: Double) -> [Beat] {
      end = .zero
      return lengths.enumerated().compactMap { place, length in
        RRInterval(milliseconds: 800 + scale * (length - 800)).map { rr in
          end = end + rr
          return Beat(
            end: end, rr: rr, verdict: place % 50 == 49 ? .missed : .normal, followsBreak: place % 70 == 0)
        }
      }
    }
    let (one, half) = (BlockVariation(of: beats(scale: 1)), BlockVariation(of: beats(scale: 0.5)))
    #expect(abs(one.relative - half.relative) < 0.1 * one.relative)
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
    #expect(found.windows == 30)
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
    "Of pairs of windows of one rest, 3 to 6 % are reported as changed, for no person clearly more",
    .enabled(if: SharedData.isAvailable))
  func falseAlarms() throws {
    let people = try RestingPerson.all()
    #expect(people.count >= 19)
    for kind in WindowPairs.Kind.all {
      let pairs = WindowPairs(kind, of: people)
      #expect((0.03...0.06).contains(pairs.rate), "\(kind.name): \(pairs.rate) of \(pairs.count)")
      #expect(pairs.highestLowerBound.bound <= 0.06, "\(kind.name): \(pairs.highestLowerBound)")
    }
    let minutes = WindowPairs(WindowPairs.Kind.all[0], of: people)
    #expect(minutes.rate(times: 0.5) >= 0.85 && minutes.rate(times: 2) >= 0.85)
    let constant = minutes.rate(times: 0.7, scale: minutes.kind.constantScale)
    #expect(minutes.rate(times: 0.7) >= 1.5 * constant)
  }

  @Test(
    "At most one in ten pairs of the same rest is reported as changed", .enabled(if: SharedData.isAvailable),
    arguments: [60, 300])
  func falseChanges(seconds: Int) throws {
    let rests = try UndisturbedRest.all()
    #expect(rests.count > 20)
    let changes = rests.flatMap { $0.sides(seconds: seconds) }.compactMap {
      try? RMSSDChange(from: $0, to: $1)
    }
    let squares = changes.reduce(0) { $0 + $1.difference * $1.difference }
    let rms = (squares / Double(changes.count)).squareRoot()
    let changed = changes.count(where: \.isChanged)
    #expect(changes.count >= 20)
    #expect(changed * 10 <= changes.count, "\(changed) of \(changes.count), rms \(rms)")
    #expect(rms < 0.3, "the recording is not undisturbed rest")
  }
}
