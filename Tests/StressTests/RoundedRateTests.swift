import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// Returns the time in s of the first classification as smoothed; nil if it does not occur.
private func smoothedAt(_ rr: some Sequence<RRInterval>) -> Double? {
  var classifier = SensorClassifier()
  var time = SessionTime.zero
  for interval in rr {
    time = time + interval
    let verdict = interval.milliseconds > 3000 ? Verdict.gap : .normal
    classifier.append(Beat(end: time, rr: interval, verdict: verdict, followsBreak: false))
    if classifier.sensorClass == .smoothed { return time.seconds }
  }
  return nil
}

private func gatt(_ units: Double) -> RRInterval { RRInterval(gattUnits: UInt16(units)) }

/// A way in which a sensor computes an interval from an integer heart rate in bpm.
private enum Computation: String, CaseIterable {
  case rounded, truncated, roundedToMilliseconds, truncatedToMilliseconds, exact

  func interval(_ bpm: Double) -> RRInterval? {
    switch self {
    case .rounded: gatt((61_440 / bpm).rounded())
    case .truncated: gatt((61_440 / bpm).rounded(.down))
    case .roundedToMilliseconds: RRInterval(milliseconds: (60_000 / bpm).rounded())
    case .truncatedToMilliseconds: RRInterval(milliseconds: (60_000 / bpm).rounded(.down))
    case .exact: RRInterval(milliseconds: 60_000 / bpm)
    }
  }

  /// The intervals computed from the mean of each 8 intervals of `rr`.
  func series(_ rr: ArraySlice<RRInterval>) -> [RRInterval] {
    rr.indices.dropFirst(7).compactMap { end in
      let mean = rr[(end - 7)...end].reduce(0) { $0 + $1.milliseconds } / 8
      return interval((60_000 / mean).rounded())
    }
  }
}

@Test(
  "Intervals from a rounded heart rate that drifts are detected within a minute at any rate",
  arguments: Computation.allCases, [40.0, 55, 75, 88, 100, 110, 130, 160, 180])
private func driftingRate(_ computation: Computation, _ bpm: Double) throws {
  var random = SeededGenerator(seed: 3)
  var rate = bpm
  let rr = (0..<200).compactMap { _ in
    rate += .random(in: -1.5...1.5, using: &random) + (bpm - rate) / 10
    return computation.interval(rate.rounded())
  }
  let seconds = try #require(smoothedAt(rr))
  #expect(seconds <= 60)
}

@Test(
  "Intervals from a rounded heart rate are detected within a minute on real recordings",
  .enabled(if: SharedData.isAvailable), arguments: SharedData.recordings.dropLast(), Computation.allCases)
private func roundedRateOfRecordings(_ name: String, _ computation: Computation) throws {
  let rr = try SharedData.intervals(of: name).filter { 300...2000 ~= $0.milliseconds }
  let starts = Array(stride(from: 0, to: rr.count - 300, by: max(20, rr.count / 40)))
  let found = starts.count { smoothedAt(computation.series(rr[$0..<($0 + 300)])) ?? .infinity <= 60 }
  #expect(100 * found >= 96 * starts.count, "found \(found) of \(starts.count)")
}

/// The resolution to which a recorder or a strap rounds intervals or beats.
private enum Rounding: CaseIterable {
  case none, gattIntervals, gattBeats, milliseconds

  func applied(to rr: [RRInterval]) -> [RRInterval] {
    var ticks: Int64 = 0
    return rr.map { interval in
      let before = ticks
      ticks += interval.ticks
      return switch self {
      case .none: interval
      case .gattIntervals: gatt((interval.milliseconds * 1.024).rounded())
      case .gattBeats: RRInterval(ticks: (Self.units(ticks) - Self.units(before)) * Self.unit)
      case .milliseconds: RRInterval(ticks: (interval.ticks + 40_000) / 80_000 * 80_000)
      }
    }
  }

  private static let unit = RRInterval.ticksPerSecond / 1024
  private static func units(_ ticks: Int64) -> Int64 { (ticks + unit / 2) / unit }
}

@Test(
  "Real recordings are never classified as smoothed after rounding", .enabled(if: SharedData.isAvailable),
  arguments: SharedData.recordings + ["../holter/nsr009_24h"], Rounding.allCases)
private func roundedRecordings(_ name: String, _ rounding: Rounding) throws {
  let seconds = smoothedAt(rounding.applied(to: Array(try SharedData.intervals(of: name).prefix(20_000))))
  #expect(seconds == nil)
}

@Test(
  "FIT recordings are never classified as smoothed after rounding", .enabled(if: SharedData.isAvailable),
  arguments: ["stryd_run_70min", "fenix5_run_short"], Rounding.allCases)
private func roundedRuns(_ name: String, _ rounding: Rounding) throws {
  struct Run: Decodable { var rrMs: [Double] }
  let run = try SharedData.json("../fit/\(name).expected.json", as: Run.self)
  #expect(smoothedAt(rounding.applied(to: run.rrMs.compactMap(RRInterval.init(milliseconds:)))) == nil)
}

@Test(
  "Holter recordings are not classified as smoothed where their steps coincide with integer heart rates",
  arguments: [(128.0, 124.0), (128, 88), (128, 62), (250, 122), (250, 61), (360, 147), (360, 104)],
  0..<20 as Range<UInt64>)
private func holterSteps(_ recorder: (hz: Double, bpm: Double), seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let middle = 60 / recorder.bpm
  let rr = (0..<2000).compactMap { beat in
    let swing = [0, 0.02, 0.03, 0.02, 0, -0.02, -0.03, -0.02][beat % 8] * middle
    let seconds = middle + swing + .random(in: -0.02...0.02, using: &random) * middle
    return RRInterval(milliseconds: (seconds * recorder.hz).rounded() / recorder.hz * 1000)
  }
  for rounding in Rounding.allCases {
    let seconds = smoothedAt(rounding.applied(to: rr))
    #expect(seconds == nil, "\(rounding)")
  }
}

@Test("A sensor that changes to measured intervals is reclassified as beat-to-beat")
func measuredAfterComputedIntervals() {
  var random = SeededGenerator(seed: 5)
  let computed = (0..<100).map { gatt((61_440 / Double(70 + $0 % 7)).rounded()) }
  let measured = (0..<200).map { _ in gatt(.random(in: 780...860, using: &random)) }
  var classifier = SensorClassifier()
  var classes: [SensorClass?] = []
  for interval in computed + measured {
    classifier.append(Beat(end: .zero, rr: interval, verdict: .normal, followsBreak: false))
    classes.append(classifier.sensorClass)
  }
  #expect(classes[99] == .smoothed)
  #expect(classes.last == .beatToBeat)
}

@Test(
  "Intervals of a Holter recorder that were sent twice are detected within a minute",
  .enabled(if: SharedData.isAvailable), arguments: ["nsr001_24h", "../holter/nsr009_24h"])
private func holterIntervalsSentTwice(_ name: String) throws {
  let rr = try SharedData.intervals(of: name)
  let starts = Array(stride(from: 0, to: rr.count - 60, by: rr.count / 40))
  let found = starts.count { smoothedAt(rr[$0..<($0 + 60)].flatMap { [$0, $0] }) ?? .infinity <= 60 }
  #expect(100 * found >= 95 * starts.count, "found \(found) of \(starts.count)")
}
