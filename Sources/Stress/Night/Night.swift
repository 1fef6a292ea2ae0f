import HRV
package import HeartRate
import RealModule

/// The values of one night of a session: RMSSD, heart rate and respiration over the window of sleep.
///
/// RMSSD is the root mean square of all successive differences between normal beats in the window, so each heart beat has the
/// same weight. There are no sleep stages: docs/design/night.md states why.
package struct Night: Equatable, Sendable {
  /// Why a night has no value.
  package enum Refusal: String, Error, CaseIterable {
    /// The data cover less than three hours.
    case short
    /// There are no three hours in which the heart rate and the stillness are those of sleep.
    case noWindow = "no_window"
    /// Normal beats cover less than 40 % of the window.
    case fewBeats = "few_beats"
    /// More than a tenth of the beats are not normal.
    case artefacts
    /// The heart rate changes as in wakefulness, or acceleration shows movement.
    case motion
    /// The sensor sends averaged RR intervals.
    case sensor
    /// The confidence is below 0.5.
    case lowConfidence = "low_confidence"
  }

  package let window: SleepWindow
  /// Number of beats in the window, normal or not.
  package let beats: Int
  package let normalBeats: Int
  /// In ms.
  package let rmssd: Double?
  /// Mean heart rate of the normal beats in bpm.
  package let heartRate: Double?
  /// Lowest mean heart rate of five minutes in bpm.
  package let lowestHeartRate: Double?
  /// The middle of these five minutes.
  package let lowestAt: SessionTime?
  /// Median of the respiration rates of five minutes, in breaths per minute; requires a rate in an hour of the window.
  package let respirationRate: Double?
  /// Fraction of the window that normal beats cover, 0 to 1.
  package let coverage: Double
  /// Minutes of the window with movement, if acceleration covers four fifths of it.
  package let wakeMinutes: Int?
  /// 0 to 1: the product of a factor each for coverage, for beats that are not normal, and for the uncertainty of the edges.
  package let confidence: Double
  /// A night with a value has none.
  package let refusal: Refusal?

  /// Fraction of the beats that are not normal, 0 to 1. Undefined without beats.
  package var artefactFraction: Double? {
    beats > 0 ? Double(beats - normalBeats) / Double(beats) : nil
  }

  package var start: SessionTime { Self.time(window.minutes.lowerBound) }
  package var end: SessionTime { Self.time(window.minutes.upperBound) }
  /// Length of the window in seconds.
  package var seconds: Double { Double(60 * window.minutes.count) }

  /// The start of a minute of the session.
  package static func time(_ minute: Int) -> SessionTime {
    SessionTime(ticks: Int64(minute) * NightObserver.length)
  }

  /// The nights of a session by time, or the reason why none was found.
  package static func all(in session: NightObserver) -> Result<[Night], Refusal> {
    let windows = SleepWindow.all(in: session.minutes)
    guard windows.isEmpty else {
      return .success(windows.map { Night(session.minutes, $0, session.sensorClass) })
    }
    let known = session.minutes.count { $0.heartRate != nil }
    return .failure(3 * known < 2 * SleepWindow.shortest ? .short : .noWindow)
  }

  private static let leastCoverage = 0.4
  private static let mostArtefacts = 0.1
  /// Least fraction of the minutes that are still or steady.
  private static let leastQuiet = 0.75
  private static let leastConfidence = 0.5

  init(_ minutes: [NightMinute], _ window: SleepWindow, _ sensorClass: SensorClass?) {
    self.window = window
    let inside = minutes[window.minutes]
    let sums = NightSums(inside)
    (beats, normalBeats) = (sums.beats, sums.normalBeats)
    (rmssd, heartRate, coverage) = (sums.rmssd, sums.heartRate, sums.coverage)
    let lowest = NightSums.lowest(inside)
    lowestHeartRate = lowest?.rate
    lowestAt = lowest.map { SessionTime(ticks: Self.time($0.minute).ticks + NightObserver.length / 2) }
    let rates = inside.compactMap(\.respiration).map(Double.init)
    respirationRate = rates.count >= 12 ? rates.median : nil
    wakeMinutes = sums.wakeMinutes
    let confidence = Self.confidence(minutes, window, sums)
    self.confidence = confidence
    refusal =
      if sensorClass == .smoothed {
        .sensor
      } else if sums.rmssd ?? 0 <= 0 || sums.coverage < Self.leastCoverage {
        .fewBeats
      } else if sums.artefactFraction > Self.mostArtefacts {
        .artefacts
      } else if window.quiet < Self.leastQuiet {
        .motion
      } else { confidence < Self.leastConfidence ? .lowConfidence : nil }
  }

  private static func confidence(_ minutes: [NightMinute], _ window: SleepWindow, _ sums: NightSums) -> Double
  {
    let coverage = min(1, sums.coverage / 0.8)
    let artefacts = max(0, 1 - max(0, sums.artefactFraction - 0.02) / 0.16)
    let narrow = window.starts.upperBound..<max(window.starts.upperBound, window.ends.lowerBound)
    let wide = window.starts.lowerBound..<window.ends.upperBound
    let changes = [narrow, wide].map { range in
      guard let other = NightSums(minutes[range]).rmssd, let own = sums.rmssd, other > 0, own > 0 else {
        return 1.0
      }
      return abs(.log(other / own))
    }
    return coverage * artefacts * max(0, 1 - (changes.max() ?? 0) / 0.3)
  }
}

/// The sums over the minutes of a window.
private struct NightSums {
  private(set) var beats = 0
  private(set) var normalBeats = 0
  private var ticks: Int64 = 0
  private var differences = NightMinute.Differences()
  private var stillMinutes = 0
  private var restlessMinutes = 0
  private let length: Int

  init(_ minutes: ArraySlice<NightMinute>) {
    length = minutes.count
    for minute in minutes {
      beats += Int(minute.beats)
      normalBeats += Int(minute.normalBeats)
      ticks += minute.normalTicks
      differences += minute.differences
      guard let still = minute.still else { continue }
      if still < Self.leastStill { restlessMinutes += 1 } else { stillMinutes += 1 }
    }
  }

  private static let leastStill = 2.0 / 3

  var rmssd: Double? { differences.rmssd }

  var heartRate: Double? {
    ticks > 0 ? 60 * Double(normalBeats) * Double(RRInterval.ticksPerSecond) / Double(ticks) : nil
  }

  var coverage: Double {
    length > 0 ? min(1, Double(ticks) / (Double(length) * Double(NightObserver.length))) : 0
  }

  var artefactFraction: Double { beats > 0 ? Double(beats - normalBeats) / Double(beats) : 0 }

  var wakeMinutes: Int? { 5 * (stillMinutes + restlessMinutes) >= 4 * length ? restlessMinutes : nil }

  /// The five minutes with the lowest mean heart rate, at least three of them known, and their middle minute.
  static func lowest(_ minutes: ArraySlice<NightMinute>) -> (rate: Double, minute: Int)? {
    var lowest: (rate: Double, minute: Int)?
    for middle in minutes.indices.dropFirst(2).dropLast(2) {
      let rates = minutes[middle - 2...middle + 2].compactMap(\.heartRate)
      guard rates.count >= 3, case let rate = rates.reduce(0, +) / Double(rates.count) else { continue }
      if rate < lowest?.rate ?? .infinity { lowest = (rate, middle) }
    }
    return lowest
  }
}
