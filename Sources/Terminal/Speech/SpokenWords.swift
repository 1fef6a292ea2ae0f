import Design
import HRV
import LiveSession
import Localization
import Stress

/// Values as sentences for a screen reader: whole numbers, unabbreviated units, no symbols.
package struct SpokenWords: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// `Stress 12 of 100, between 9 and 16: Relaxed, the face looks calm.` Omits the face when the confidence is low.
  func stress(_ score: Double, _ range: ClosedRange<Double>?, confidence: Double) -> String {
    let (value, word) = (value(score, range), style.word(StressCategory(score: score)))
    guard ConfidenceLevel(confidence) != .low else { return style.localized("Stress \(value): \(word).") }
    let face = style.localized(BuddyMood(score: score).spoken)
    return style.localized("Stress \(value): \(word), \(face).")
  }

  private func value(_ score: Double, _ range: ClosedRange<Double>?) -> String {
    guard let range else { return style.localized("\(score.fixed(0)) of 100") }
    let (low, high) = (range.lowerBound.fixed(0), range.upperBound.fixed(0))
    return style.localized("\(score.fixed(0)) of 100, between \(low) and \(high)")
  }

  /// In place of a stress value without a category: during movement or exertion, and in an irregular rhythm. Nil otherwise.
  func withoutCategory(_ measurement: LiveMeasurement) -> String? {
    measurement.suspension.map(withoutLevel)
  }

  /// In place of the stress value while it is not stated.
  func withoutLevel(_ reason: ScoreSuspension) -> String {
    switch reason {
    case .moving: style.localized("In motion, so no stress is stated.")
    case .exertion:
      style.localized("Perhaps in motion: exertion raises the heart rate, so no stress is stated.")
    case .irregularRhythm: style.localized("The rhythm is irregular, so no stress is stated.")
    }
  }

  /// `Collecting data: 14 of 30 seconds.`, unless there is a stress value or more data would not give one.
  func collecting(_ measurement: LiveMeasurement) -> String? {
    switch measurement.missing {
    case .seconds(let collected, let required): collecting(collected, of: required)
    case .beats(let found, let needed):
      style.localized("Collecting data: \(found) of \(needed) normal beats.")
    case nil: nil
    }
  }

  func collecting(_ seconds: Double, of required: Double) -> String {
    let whole = min(seconds, required).rounded(.down)
    return style.localized("Collecting data: \(whole.fixed(0)) of \(required.fixed(0)) seconds.")
  }

  /// The heart rate of the latest notification, or the mean of the window.
  func heartRate(latest: UInt16?, windowMean: Double?) -> String? {
    latest.map { heartRate(Double($0)) } ?? windowMean.map(meanHeartRate)
  }

  /// The current heart rate.
  func heartRate(_ bpm: Double) -> String { style.localized("Heart rate \(bpm.fixed(0)) beats per minute.") }

  func meanHeartRate(_ bpm: Double) -> String {
    style.localized("Mean heart rate \(bpm.fixed(0)) beats per minute.")
  }

  func hrv(_ milliseconds: Double, decimals: Int = 0) -> String {
    style.localized("Heart rate variability \(milliseconds.fixed(decimals)) milliseconds.")
  }

  /// The confidence in words, with the reasons if it is not high.
  func confidence(_ value: Double, reasons: [String] = []) -> String {
    let why = reasons.joined(separator: "; ")
    return switch ConfidenceLevel(value) {
    case .high: style.localized("Confidence high.")
    case .medium where why.isEmpty: style.localized("Confidence medium.")
    case .medium: style.localized("Confidence medium: \(why).")
    case .low where why.isEmpty: style.localized("Confidence low.")
    case .low: style.localized("Confidence low: \(why).")
    }
  }

  /// `45 seconds`, `6 minutes 40 seconds`, `2 hours 5 minutes`; minutes from 120 s on, hours from 2 h on.
  package func length(seconds: Double) -> String {
    guard let whole = Int(exactly: seconds.rounded()) else { return "" }
    let minutes = Int((Double(whole) / 60).rounded())
    let parts: [String?] =
      switch whole {
      case ..<120: [self.seconds(whole)]
      case ..<7200: [self.minutes(whole / 60), whole % 60 > 0 ? self.seconds(whole % 60) : nil]
      default: [hours(minutes / 60), minutes % 60 > 0 ? self.minutes(minutes % 60) : nil]
      }
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private func seconds(_ count: Int) -> String {
    style.localized("\(count) second", "\(count) seconds", count: count)
  }

  private func minutes(_ count: Int) -> String {
    style.localized("\(count) minute", "\(count) minutes", count: count)
  }

  private func hours(_ count: Int) -> String {
    style.localized("\(count) hour", "\(count) hours", count: count)
  }
}
