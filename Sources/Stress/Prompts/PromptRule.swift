package import HeartRate
import RealModule

/// Decides whether a moment is unusual enough for one person to ask about it.
///
/// A moment is due while all of these hold:
///
/// - **Changed**: RMSSD is below the person's normal range of a minute at rest (``NormalRange``), and the value has a category
///   above *relaxed*, for at least 3 minutes without interruption.
/// - **Persistent**: the mean of ln RMSSD, with a time constant of 5 minutes, is below the range by at least a margin. A single
///   deep breath or a noisy minute ends before this mean follows.
/// - **At rest** for the 5 minutes before, so that the recovery from a walk is not taken for stress. With acceleration: no walking or
///   running, and still for at least half of the window. Without: a heart rate of at most 10 % of the heart rate reserve above
///   the resting rate, because the heart rate does not separate light effort from mental load (docs/design/exertion.md).
/// - **Certain**: confidence of at least 0.6.
///
/// Data that pause for 10 s, a lost link and paced breathing start the rule again.
///
/// ```swift
/// var rule = PromptRule(usual: normalRange.rmssd, restingHeartRate: 58)
/// if rule.update(PromptInput(measurement)) { print("ask") }
/// ```
///
/// - Complexity: O(1) per measurement; no allocation.
package struct PromptRule: Sendable {
  /// Limits of ``margin`` in ln RMSSD: 22 % to 33 % below the normal range.
  package static let margins = 0.25...0.4
  /// Time in seconds for which the change lasts before the moment is due.
  package static let leastDuration = 180.0
  /// Time at rest in seconds before the change.
  package static let leastRest = 300.0
  package static let leastConfidence = 0.6
  /// Fraction of the window without movement.
  static let leastStill = 0.5
  /// Fraction of the heart rate reserve above the resting rate, without acceleration.
  static let mostReserve = 0.1
  /// Pause of the data in seconds that starts the rule again.
  static let longestPause = 10.0
  private static let timeConstant = 300.0

  /// The normal range of RMSSD in ms.
  package let usual: ClosedRange<Double>
  private let (bound, target): (Double, Double)
  private let highestRate: Double
  private var last: SessionTime?
  private var restSince: SessionTime?
  private var changedSince: SessionTime?
  private var mean = 0.0

  /// - Parameters:
  ///   - usual: The person's normal range of RMSSD at rest in ms.
  ///   - restingHeartRate: In bpm.
  ///   - margin: How far the mean of ln RMSSD is below the range, within ``margins``.
  package init(
    usual: ClosedRange<Double>, restingHeartRate: Double, margin: Double = Self.margins.lowerBound
  ) {
    self.usual = usual
    bound = .log(max(1, usual.lowerBound))
    target = bound - min(max(margin, Self.margins.lowerBound), Self.margins.upperBound)
    let reserve = max(1, ExertionEstimator.maximum - restingHeartRate)
    highestRate = restingHeartRate + Self.mostReserve * reserve
  }

  /// Starts again, for example after the link was lost.
  package mutating func interrupt() { (last, restSince, changedSince) = (nil, nil, nil) }

  /// Processes a measurement. Returns whether a question is due now; true at each measurement while it is.
  package mutating func update(_ input: PromptInput) -> Bool {
    if let last, seconds(last, input.time) > Self.longestPause { interrupt() }
    let elapsed = last.map { seconds($0, input.time) } ?? 0
    last = input.time
    guard isAtRest(input), let logarithm = input.rmssd.map({ Double.log(max(1, $0)) }) else {
      (restSince, changedSince) = (nil, nil)
      return false
    }
    let since = restSince ?? input.time
    restSince = since
    guard seconds(since, input.time) >= Self.leastRest else {
      // HRV recovers from a walk in these minutes.
      (mean, changedSince) = (logarithm, nil)
      return false
    }
    mean += (logarithm - mean) * (1 - .exp(-elapsed / Self.timeConstant))
    changedSince = isChanged(input, logarithm) ? changedSince ?? input.time : nil
    guard let changedSince, mean <= target else { return false }
    return seconds(changedSince, input.time) >= Self.leastDuration
  }

  /// Whether the value of one measurement differs from the person's usual ones, whatever the heart rate.
  package func isChanged(_ input: PromptInput) -> Bool {
    input.isStated && (input.rmssd.map { isChanged(input, .log(max(1, $0))) } ?? false)
  }

  private func isChanged(_ input: PromptInput, _ logarithm: Double) -> Bool {
    logarithm < bound && input.isRaised && input.confidence >= Self.leastConfidence && input.isStill
  }

  private func isAtRest(_ input: PromptInput) -> Bool {
    guard input.isStated else { return false }
    guard let motion = input.motion else { return input.heartRate <= highestRate }
    return motion.locomotion == 0
  }

  private func seconds(_ from: SessionTime, _ to: SessionTime) -> Double {
    Double(to.ticks - from.ticks) / Double(RRInterval.ticksPerSecond)
  }
}

/// The part of a measurement that ``PromptRule`` depends on.
package struct PromptInput: Sendable {
  package var time: SessionTime
  /// In ms.
  package var rmssd: Double?
  /// Mean of the window in bpm.
  package var heartRate: Double
  /// Whether the stress value has a category: neither movement, nor exertion, nor an irregular rhythm.
  package var isStated: Bool
  /// Whether the category is above *relaxed*.
  package var isRaised: Bool
  package var confidence: Double
  /// Requires acceleration.
  package var motion: MotionSummary?

  package init(
    time: SessionTime, rmssd: Double?, heartRate: Double, stress: Double?, confidence: Double,
    motion: MotionSummary? = nil
  ) {
    (self.time, self.rmssd, self.heartRate) = (time, rmssd, heartRate)
    (self.confidence, self.motion) = (confidence, motion)
    isStated = stress != nil
    isRaised = stress.map { StressCategory(score: $0) != .relaxed } ?? false
  }

  package init(_ measurement: StressMeasurement) {
    let category = measurement.statedCategory
    self.init(
      time: measurement.time, rmssd: measurement.rmssd,
      heartRate: measurement.score?.inputs.heartRate ?? .infinity,
      stress: category == nil ? nil : measurement.score?.value,
      confidence: category == nil ? 0 : measurement.confidence.value, motion: measurement.motion)
  }

  /// Whether the person was still for most of the window; true without acceleration.
  var isStill: Bool { motion.map { $0.still >= PromptRule.leastStill } ?? true }
}
