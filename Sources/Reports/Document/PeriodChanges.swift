import History
import Localization

/// The changes from the days before as sentences.
struct PeriodChanges {
  let report: PeriodReport
  let language: Language
  let hasDetails: Bool

  /// One sentence if no quantity can be compared.
  var sentences: [String] {
    guard changes.contains(where: { $0.value.now != nil }) else {
      return [
        language.localized(
          """
          There are too few measurements to compare these days with those before: half an hour a day, or readings in \
          eight quarters of an hour.
          """)
      ]
    }
    return changes.filter { $0.value.now != nil }.map {
      $0.sentence(before, hasDetails: hasDetails, language)
    }
  }

  /// `the week before`
  private var before: Phrase { Self.before(length: report.length) }

  static func before(length: Int) -> Phrase {
    length == 7
      ? Phrase("the week before")
      : Phrase("the \(length) day before", "the \(length) days before", count: length)
  }

  /// The sentence about one quantity of a week.
  static func sentence(
    _ name: String, unit: String, decimals: Int, _ value: PeriodChange, hasDetails: Bool, _ language: Language
  ) -> String {
    Change(name: name, unit: unit, decimals: decimals, value: value)
      .sentence(before(length: 7), hasDetails: hasDetails, language)
  }

  private var changes: [Change] {
    let stress = Change(
      name: language.localized("Stress on days with enough data"), unit: "", decimals: 0,
      value: report.change(.stress))
    guard report.isBasedOnMornings else { return [stress] + measured }
    return mornings + (stress.value.now == nil ? [] : [stress])
  }

  /// The changes of the morning readings, of which one a day suffices.
  private var mornings: [Change] {
    [
      Change(
        name: language.localized("HRV in the morning"), unit: " ms", decimals: 0, value: report.morningRMSSD),
      Change(
        name: language.localized("Heart rate in the morning"), unit: " " + language.localized("bpm"),
        decimals: 0,
        value: report.morningHeartRate),
    ]
  }

  /// The changes of the days with enough measurements.
  private var measured: [Change] {
    [
      Change(
        name: language.localized("HRV on days with enough data"), unit: " ms", decimals: 0,
        value: report.change(report.metric.unpacedQuantity)),
      Change(
        name: language.localized("Heart rate without exertion"), unit: " " + language.localized("bpm"),
        decimals: 0,
        value: report.change(.heartRate)),
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
  let value: PeriodChange

  init(name: String, unit: String, decimals: Int, value: PeriodChange) {
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

  /// - Parameters:
  ///   - period: what the days before are called.
  ///   - hasDetails: whether the change is stated with its interval.
  func sentence(_ period: Phrase, hasDetails: Bool, _ language: Language) -> String {
    guard let now = value.now.map(text) else { return language.localized("\(name): not measured.") }
    guard let before = value.before.map(text) else {
      return language.localized("\(name): \(now); no data for \(period).")
    }
    guard let change = value.change, let interval = value.interval else {
      return language.localized(
        """
        \(name): \(now), \(period) \(before). A comparison requires \(PeriodChange.fewestDays) days of each \
        (there are \(value.daysNow) and \(value.daysBefore)).
        """)
    }
    guard hasDetails else {
      return language.localized("\(name): \(now), \(period) \(before): \(verdict(change)).")
    }
    let (size, low, high) = (signed(change), signed(interval.lowerBound), signed(interval.upperBound))
    return language.localized(
      "\(name): \(now), \(period) \(before): \(verdict(change)) (\(size), 95 % interval \(low) to \(high)).")
  }

  /// A change is clear if it is larger than the variation between days.
  private func verdict(_ change: Double) -> Phrase {
    guard value.isChanged == true, excludesZero(decimals) else { return Phrase("no clear change") }
    return change > (value.isRatio ? 1 : 0) ? Phrase("clearly higher") : Phrase("clearly lower")
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
