import History
import Localization

/// The changes from the week before as sentences.
struct WeekChanges {
  private let week: WeekReport
  private let language: Language

  init(_ week: WeekReport, language: Language) { (self.week, self.language) = (week, language) }

  var sentences: [String] { changes.map { $0.sentence(language) } }

  /// The sentence about one quantity.
  static func sentence(
    _ name: String, unit: String, decimals: Int, _ value: WeekChange, _ language: Language
  ) -> String {
    Change(name: name, unit: unit, decimals: decimals, value: value).sentence(language)
  }

  private var changes: [Change] {
    let stress = Change(
      name: language.localized("Stress"), unit: "", decimals: 0, value: week.change(.stress))
    guard week.isBasedOnMornings else { return [stress] + measured }
    return mornings + (stress.value.now == nil ? [] : [stress])
  }

  /// The changes of the morning readings, of which one a day suffices.
  private var mornings: [Change] {
    [
      Change(name: language.localized("Morning RMSSD"), unit: " ms", decimals: 0, value: week.morningRMSSD),
      Change(
        name: language.localized("Morning heart rate"), unit: " " + language.localized("bpm"), decimals: 0,
        value: week.morningHeartRate),
    ]
  }

  /// The changes of the days with enough measurements.
  private var measured: [Change] {
    let hrv = week.metric
    return [
      Change(name: hrv.definition.name, unit: " ms", decimals: 0, value: week.change(hrv.unpacedQuantity)),
      Change(
        name: language.localized("Heart rate without exertion"), unit: " " + language.localized("bpm"),
        decimals: 0,
        value: week.change(.heartRate)),
    ]
  }
}

/// The change of one quantity.
private struct Change {
  let name: String
  /// With a leading space; empty for a number without a unit.
  let unit: String
  /// The usual number of decimals.
  private let usualDecimals: Int
  let value: WeekChange

  init(name: String, unit: String, decimals: Int, value: WeekChange) {
    (self.name, self.unit, usualDecimals, self.value) = (name, unit, decimals, value)
  }

  private static let mostDecimals = 3

  /// As many decimals as the interval needs to exclude 0 as displayed, if it does.
  private var decimals: Int {
    guard value.isChanged == true else { return usualDecimals }
    return (usualDecimals...Self.mostDecimals).first(where: excludesZero) ?? usualDecimals
  }

  private func excludesZero(_ decimals: Int) -> Bool {
    guard let interval = value.interval else { return false }
    return [interval.lowerBound, interval.upperBound].allSatisfy {
      shown($0).fixed(decimals).contains { ("1"..."9").contains($0) }
    }
  }

  func sentence(_ language: Language) -> String {
    guard let now = value.now.map(text) else {
      return language.localized(
        "\(name): no day of this week has enough measurements: half an hour, or a reading in eight quarters of an hour."
      )
    }
    guard let before = value.before.map(text) else {
      return language.localized("\(name): \(now); no data in the week before.")
    }
    guard let change = value.change, let interval = value.interval, let isChanged = value.isChanged else {
      return language.localized(
        """
        \(name): \(now), the week before \(before). Detecting a change requires \(WeekChange.fewestDays) days in \
        each week (there are \(value.daysNow) and \(value.daysBefore)).
        """)
    }
    let (size, low, high) = (signed(change), signed(interval.lowerBound), signed(interval.upperBound))
    let verdict =
      isChanged && excludesZero(decimals)
      ? Phrase("more than the variation between days") : Phrase("within the variation between days")
    return language.localized(
      "\(name): \(now), the week before \(before): \(size) (95 % interval \(low) to \(high)), \(verdict).")
  }

  /// `62 bpm`
  private func text(_ value: Double) -> String { value.fixed(decimals) + unit }

  /// `+5 bpm`, `-12 %`
  private func signed(_ change: Double) -> String {
    let shown = shown(change)
    return (shown >= 0 ? "+" : "") + shown.fixed(decimals) + (value.isRatio ? " %" : unit)
  }

  /// A difference; a ratio in percent.
  private func shown(_ change: Double) -> Double { value.isRatio ? (change - 1) * 100 : change }
}
