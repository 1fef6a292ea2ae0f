import HeartRate
import History
import Localization
import Reports
import Stress
import Terminal

/// A week as a document: sentences, tables and a figure.
struct WeekDocument {
  let week: WeekReport

  var document: ReportDocument {
    var document = ReportDocument(title: title)
    document.blocks = [.paragraph(summary)]
    guard week.days.whole.usable > 0 else { return document }
    document.blocks += [
      .heading("Against the week before"),
      .paragraph("Means of the days, each of which counts once."), .list(changes.map(\.sentence)),
      .heading("Day by day"),
      .figure(svg: figure),
      dayTable, .heading("Hours"), .paragraph(hours), hourTable, .heading("Your journal"), .list(journal),
      .heading("Breathing"), WeekBreathing(week).block, .heading("How good the data are"), .list(quality),
      .paragraph(Self.caveat),
    ]
    return document
  }

  private static let caveat =
    "Stress compares your heart with what is usual for you at rest. It does not know why: sport, coffee, a fever and joy count too. "
    + "It is no medical device."

  private var title: String {
    let who = week.profile.printable + (week.days.isSimulated ? " (simulated)" : "")
    return "Week of \(who), \(week.week.first?.long ?? "") to \(week.week.last?.long ?? "")"
  }

  private var summary: String {
    guard let stress = week.whole[.stress] else {
      return "Nothing with a stress value was measured in this week. Take a reading with: stressmon measure"
    }
    let shares = StressCategory.allCases.map { category in
      "\((week.whole.percent(category) ?? 0).fixed(0)) % \(category.rawValue)"
    }.joined(separator: ", ")
    let word = StressCategory(score: stress.mean).rawValue
    return "Stress was \(stress.mean.fixed(0)) of 100 on average (\(word)): \(shares) of the measured time."
  }

  // MARK: Changes

  struct Change {
    let name: String
    let unit: String
    let decimals: Int
    let value: WeekChange

    var sentence: String {
      guard let now = value.now else { return "\(name): no day of this week was measured for half an hour." }
      let this = "\(name): \(now.fixed(decimals))\(unit)"
      guard let before = value.before else { return this + "; nothing to compare with in the week before." }
      let both = "\(this), the week before \(before.fixed(decimals))\(unit)"
      guard let change = value.change, let interval = value.interval, let isChanged = value.isChanged else {
        return both + ". It takes \(WeekChange.fewestDays) days in each week to say whether that is a change "
          + "(there are \(value.daysNow) and \(value.daysBefore))."
      }
      let range = "\(text(interval.lowerBound)) to \(text(interval.upperBound))"
      let verdict = isChanged ? "more than days differ anyway" : "no more than days differ anyway"
      return "\(both): \(text(change)) (95 % interval \(range)), \(verdict)."
    }

    /// `+5 bpm`, `-12 %`
    private func text(_ change: Double) -> String {
      let shown = value.isRatio ? (change - 1) * 100 : change
      return (shown >= 0 ? "+" : "") + shown.fixed(value.isRatio ? 0 : decimals)
        + (value.isRatio ? " %" : unit)
    }
  }

  private var changes: [Change] {
    [
      Change(name: "Stress", unit: "", decimals: 0, value: week.change(.stress)),
      Change(
        name: week.metric.definition.name, unit: " ms", decimals: 0,
        value: week.change(week.metric.unpacedQuantity)),
      Change(name: "Heart rate", unit: " bpm", decimals: 0, value: week.change(.heartRate)),
    ]
  }

  // MARK: Journal

  private var journal: [String] {
    let count = week.journal.count
    guard count > 0 || week.triggers.occasions > 0 else {
      return [
        "Nothing was written. Say how you feel and what goes on with: stressmon journal add --mood 7 --trigger coffee"
      ]
    }
    var items = ["\(count) \(count == 1 ? "entry" : "entries") this week."]
    if let mood = week.mood, let word = Mood(Int(mood.rounded()))?.word {
      items.append("Mood \(mood.fixed(1)) of 10 on average (\(word)).")
    }
    return items + triggers
  }

  private var triggers: [String] {
    let found = week.triggers.effects.filter(\.isBeyondChance).map(TriggerReport.sentence)
    if !found.isEmpty { return found + ["What goes together need not cause one another (90 days)."] }
    if week.triggers.effects.isEmpty {
      return [
        "Too little is written to say which triggers go with stress: it takes \(TriggerEffects.fewestOccasions) "
          + "measured occasions with one and as many without it, in 90 days."
      ]
    }
    return ["No trigger goes with more or less stress than chance alone explains, in 90 days."]
  }

  private var quality: [String] {
    let whole = week.whole
    let days = week.thisWeek.count { $0.usable >= WeekReport.leastMeasurements }
    var items = [
      "Measured for half an hour or more on \(days) of 7 days; \(counted(whole.usable, "measurement")) counted."
    ]
    if whole.measurements > whole.scored {
      items.append(
        "\(counted(whole.measurements &- whole.scored, "measurement")) without a stress value: too few normal beats, or "
          + "a sensor that averages.")
    }
    if whole.scored > whole.usable {
      items.append(
        "\(counted(whole.scored &- whole.usable, "stress value")) not counted: fewer than 20 normal beats, or a confidence "
          + "below 0.3.")
    }
    if let confidence = whole.meanConfidence { items.append("Mean confidence \(confidence.fixed(2)).") }
    if let share = whole.artefactFraction {
      items.append("\((share * 100).fixed(1)) % of the beats were not normal.")
    }
    items.append("Baseline: \(week.baseline.summary(week.metric)).")
    return items
  }
}
