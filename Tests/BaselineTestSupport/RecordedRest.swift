import FoundationEssentials
package import HeartRate
import RealModule
package import Stress
package import TestSupport

/// The resting minutes of one person or session in a real recording.
package struct RecordedRest: Sendable {
  package let name: String
  package let windows: [RestingWindow]

  /// Detects the resting minutes of a recording.
  package init(_ name: String, in directory: SharedData.Directory) throws {
    self.name = name
    windows = try Self.windows(SharedData.intervals(of: name, in: directory))
  }

  package static func windows(_ rr: [RRInterval]) -> [RestingWindow] {
    var observer = RestObserver()
    var (end, found) = (SessionTime.zero, [RestingWindow]())
    for interval in rr {
      end = end + interval
      observer.update(SessionEvent(at: end, .interval(interval))) { found.append($0) }
    }
    return found
  }

  /// One recording per person: sitting (`tasks`), Holter recordings with labels, and the others at rest.
  package static func people() throws -> [RecordedRest] {
    let sitting = try SharedData.recordingNames(in: .tasks).filter { $0.hasSuffix("_sitting_cs") }
    let labelled = try SharedData.recordingNames(in: .labelled)
    return try sitting.map { try RecordedRest($0, in: .tasks) }
      + labelled.map { try RecordedRest($0, in: .labelled) }
      + ["rest_supine", "mitdb100_apc", "nsr001_24h"].map { try RecordedRest($0, in: .rr) }
      + [RecordedRest("nsr009_24h", in: .holter)]
  }

  /// The estimate from the windows as one day; nil without windows.
  package var evidence: BaselineEvidence? {
    var estimator = BaselineEstimator()
    for window in windows { estimator.append(window, day: 0) }
    return estimator.evidence
  }
}

/// A quantity of the baseline, on the scale on which it is blended.
package enum BlendedQuantity: String, CaseIterable, Sendable {
  case rmssd = "ln RMSSD"
  case sdnn = "ln SDNN"
  case heartRate = "heart rate"

  package func value(_ window: RestingWindow) -> Double {
    switch self {
    case .rmssd: .log(window.rmssd)
    case .sdnn: .log(window.sdnn)
    case .heartRate: window.heartRate
    }
  }

  package func value(_ evidence: BaselineEvidence) -> Double {
    switch self {
    case .rmssd: .log(evidence.rmssd.value)
    case .sdnn: .log(evidence.sdnn.value)
    case .heartRate: evidence.restingHeartRate
    }
  }

  package var populationDefault: Double {
    let prior = Baseline.populationDefault
    return switch self {
    case .rmssd: .log(prior.rmssd)
    case .sdnn: .log(prior.sdnn)
    case .heartRate: prior.restingHeartRate
    }
  }
}

/// The spread of a quantity between people and between adjacent resting minutes, from one recording per person.
package struct MeasuredSpread: Sendable {
  package let people: Int
  package let mean: Double
  package let deviation: Double
  /// Mean squared distance from the population default.
  package let squaredDistance: Double
  /// Mean variance between adjacent minutes: half the mean squared difference. Each person has the same weight.
  package let minutes: Double
  /// Mean of the reciprocal number of resting minutes of a person.
  package let reciprocalMinutes: Double

  package init(_ quantity: BlendedQuantity, _ recordings: [RecordedRest]) {
    let found = recordings.compactMap { rest in rest.evidence.map { (rest, $0) } }
    let values = found.map { quantity.value($0.1) }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
    let average = mean(values)
    people = values.count
    self.mean = average
    deviation =
      (values.reduce(0) { $0 + ($1 - average) * ($1 - average) } / Double(max(1, people - 1))).squareRoot()
    squaredDistance = mean(
      values.map { ($0 - quantity.populationDefault) * ($0 - quantity.populationDefault) })
    minutes = mean(found.compactMap { Self.variance(quantity, $0.0.windows) })
    reciprocalMinutes = mean(found.map { 1 / Double($0.1.windows) })
  }

  private static func variance(_ quantity: BlendedQuantity, _ windows: [RestingWindow]) -> Double? {
    let adjacent = zip(windows, windows.dropFirst()).filter { $1.time.seconds - $0.time.seconds < 65 }
    guard !adjacent.isEmpty else { return nil }
    let squares = adjacent.map { (a, b) in
      let difference = quantity.value(b) - quantity.value(a)
      return difference * difference / 2
    }
    return squares.reduce(0, +) / Double(squares.count)
  }

  /// ``BlendVariances/people`` for a standard deviation `daily` between days.
  package func betweenPeople(daily: Double) -> Double {
    squaredDistance - daily * daily - minutes * reciprocalMinutes
  }
}

/// The baseline of a real wearer of a strap, learned session by session.
package struct WearerDay: Sendable {
  package let session: String
  package let restingMinutes: Int
  package let nightMinutes: Int
  /// The estimate after the session; nil without rest.
  package let evidence: BaselineEvidence?

  /// The sessions in `wearer`, oldest first: date and local time are in the names.
  package static func all() throws -> [WearerDay] {
    var estimator = BaselineEstimator()
    return try SharedData.recordingNames(in: .wearer).compactMap { name in
      guard let start = seconds(name) else { return nil }
      let windows = try RecordedRest(name, in: .wearer).windows
      let ends = windows.map { start + Int($0.time.seconds) }
      let nights = NightRest.isNight(ends)
      for (window, (end, isNight)) in zip(windows, zip(ends, nights)) {
        estimator.append(window, day: end / 86_400, isNight: isNight)
      }
      return WearerDay(
        session: name, restingMinutes: windows.count, nightMinutes: nights.count(where: \.self),
        evidence: estimator.evidence)
    }
  }

  /// Local seconds since 1970 of a name such as `d20251106_004342`; nil for other names.
  private static func seconds(_ name: String) -> Int? {
    let digits = name.compactMap(\.wholeNumberValue)
    guard name.first == "d", digits.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + $1 } }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = calendar.date(
      from: DateComponents(
        year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
        minute: number(10..<12), second: number(12..<14)))
    return date.map { Int($0.timeIntervalSince1970) }
  }
}
