import HeartRate
import History
import Plot
import Recording
import Stress
import Terminal

/// A week in words, tables and a picture.
struct WeekReport {
  let digest: WeekDigest

  var document: ReportDocument {
    var document = ReportDocument(title: title)
    document.blocks = [.paragraph(summary)]
    guard digest.days.whole.scored > 0 else { return document }
    document.blocks += [
      .heading("Against the week before"),
      .paragraph("Means of the days, each of which counts once."), .list(changes.map(\.sentence)),
      .heading("Day by day"),
      .figure(svg: figure),
      dayTable, .heading("Hours"), .paragraph(hours), hourTable, .heading("Your journal"), .list(journal),
      .heading("Breathing"), digest.breathingBlock, .heading("How good the data are"), .list(quality),
      .paragraph(Self.caveat),
    ]
    return document
  }

  private static let caveat =
    "Stress compares your heart with what is usual for you at rest. It does not know why: sport, coffee, a fever and joy count too. "
    + "It is no medical device."

  private var week: [TrendPeriod.Part] { Array(digest.days.period.parts[7...]) }

  private var title: String {
    let who = digest.profile.printable + (digest.days.isSimulated ? " (simulated)" : "")
    return "Week of \(who), \(week.first?.long ?? "") to \(week.last?.long ?? "")"
  }

  private var summary: String {
    guard let stress = digest.whole[.stress] else {
      return "Nothing with a stress value was measured in this week. Take a reading with: stressmon measure"
    }
    let shares = StressCategory.allCases.map { category in
      "\((digest.whole.share(category) ?? 0).fixed(0)) % \(category.rawValue)"
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
      Change(name: "Stress", unit: "", decimals: 0, value: digest.change(.stress)),
      Change(
        name: digest.metric.rawValue.uppercased(), unit: " ms", decimals: 0,
        value: digest.change(digest.metric.quantity)),
      Change(name: "Heart rate", unit: " bpm", decimals: 0, value: digest.change(.heartRate)),
    ]
  }

  // MARK: Tables

  private var figure: String {
    // Without the line that says that it is XML, which only stands at the beginning of a file.
    digest.figure(title: "Stress, HRV and heart rate in two weeks").svg.split(separator: "\n").dropFirst()
      .joined(separator: "\n") + "\n"
  }

  private var dayTable: ReportDocument.Block {
    let hrv = digest.metric.rawValue.uppercased()
    let headings = ["day", "stress"] + StressCategory.allCases.map(\.rawValue) + [hrv, "HR", "measurements"]
    var caption = "Means of each day of two weeks. \(hrv) in ms"
    if let normal = digest.normal {
      caption += ", normal at rest \(normal.lowerBound.fixed(0)) to \(normal.upperBound.fixed(0)) ms"
    }
    caption += "; heart rate in bpm, at rest \(digest.baseline.restingHeartRate.fixed(0)) bpm."
    let rows = zip(digest.days.period.parts, digest.days.sums).map { dayRow($0.long, $1) }
    return .table(caption: caption, headings: headings, rows: rows)
  }

  private func dayRow(_ name: String, _ sums: MeasurementSums) -> [String] {
    var row = [name, mean(sums, .stress)]
    for category in StressCategory.allCases {
      row.append(sums.share(category).map { "\($0.fixed(0)) %" } ?? "-")
    }
    row.append(mean(sums, digest.metric.quantity))
    row.append(mean(sums, .heartRate))
    row.append("\(sums.scored)")
    return row
  }

  private func mean(_ sums: MeasurementSums, _ quantity: MeasurementSums.Quantity) -> String {
    sums[quantity]?.mean.fixed(0) ?? "-"
  }

  private var hours: String {
    guard let (calmest, mostStressed) = digest.extremeHours else {
      return
        "It takes three hours of the clock, each measured on three days and for half an hour in all, to say which was the calmest."
    }
    let count = digest.hours.count(where: \.isComparable)
    return """
      Calmest from \(calmest.clock) (stress \(calmest.stress.fixed(0)) on \(calmest.days) days), most stress from \
      \(mostStressed.clock) (\(mostStressed.stress.fixed(0)) on \(mostStressed.days) days), of \(count) hours that could \
      be compared. Of so many hours one is always the calmest: believe it when it comes again next week.
      """
  }

  private var hourTable: ReportDocument.Block {
    .table(
      caption: "This week by the hours of the clock.",
      headings: ["hour", "stress", "SD", "HR", "days", "measurements"],
      rows: digest.hours.map(hourRow))
  }

  private func hourRow(_ hour: HourOfDay) -> [String] {
    let deviation = hour.sums[.stress]?.deviation?.fixed(0) ?? "-"
    return [
      hour.clock, hour.stress.fixed(0), deviation, mean(hour.sums, .heartRate), "\(hour.days)",
      "\(hour.sums.scored)",
    ]
  }

  // MARK: Journal

  private var journal: [String] {
    let count = digest.journal.count
    guard count > 0 || digest.triggers.occasions > 0 else {
      return [
        "Nothing was written. Say how you feel and what goes on with: stressmon journal add --mood 7 --trigger coffee"
      ]
    }
    var items = ["\(count) \(count == 1 ? "entry" : "entries") this week."]
    if let mood = digest.mood, let word = Mood(Int(mood.rounded()))?.word {
      items.append("Mood \(mood.fixed(1)) of 10 on average (\(word)).")
    }
    return items + triggers
  }

  private var triggers: [String] {
    let found = digest.triggers.effects.filter(\.isBeyondChance).map(TriggerReport.sentence)
    if !found.isEmpty { return found + ["What goes together need not cause one another (90 days)."] }
    if digest.triggers.effects.isEmpty {
      return [
        "Too little is written to say which triggers go with stress: it takes \(TriggerEffects.fewestOccasions) "
          + "measured occasions with one and as many without it, in 90 days."
      ]
    }
    return ["No trigger goes with more or less stress than chance alone explains, in 90 days."]
  }

  private var quality: [String] {
    let whole = digest.whole
    let days = digest.thisWeek.count { $0.scored >= WeekDigest.leastMeasurements }
    var items = [
      "\(days) of 7 days were measured for half an hour or more; \(whole.scored) measurements have a stress value."
    ]
    if whole.measurements > whole.scored {
      items.append(
        "\(whole.measurements &- whole.scored) have none: too few good beats, or a sensor that averages.")
    }
    if let confidence = whole.meanConfidence { items.append("Mean confidence \(confidence.fixed(2)).") }
    if let share = whole.artefactShare {
      items.append("\((share * 100).fixed(1)) % of the beats were not normal.")
    }
    items.append("Baseline: \(digest.baseline.summary(digest.metric)).")
    return items
  }
}

extension HourOfDay {
  /// `14:00 to 15:00`
  fileprivate var clock: String { "\(hour):00 to \(hour + 1):00" }
}

extension WeekDigest {
  fileprivate func figure(title: String) -> TrendFigure {
    TrendReport(profile: profile, trends: days, metric: metric, baseline: baseline, normal: normal).figure
  }
}

// MARK: - JSON

extension WeekReport {
  var json: String {
    var line = JSONLine()
    line.line { line in
      line.put("profile", digest.profile)
      line.put("from", week.first?.times.lowerBound.rfc3339)
      line.put("to", week.last?.times.upperBound.rfc3339)
      line.put("simulated", digest.days.isSimulated)
      line.put("measurements", digest.whole.measurements)
      line.put("scored", digest.whole.scored)
      for category in StressCategory.allCases {
        line.put("\(category.rawValue)_percent", digest.whole.share(category))
      }
      line.put("confidence", digest.whole.meanConfidence)
      line.put("artefact_percent", digest.whole.artefactShare.map { $0 * 100 })
      line.put("hrv_metric", digest.metric.rawValue)
      for (key, quantity) in [
        ("stress", MeasurementSums.Quantity.stress), ("hrv_ms", digest.metric.quantity),
        ("hr_bpm", .heartRate),
      ] { put(key, digest.change(quantity), into: &line) }
      line.put("journal_entries", digest.journal.count)
      line.put("mood_mean", digest.mood)
      line.put("triggers", objects: digest.triggers.effects.filter(\.isBeyondChance)) { line, effect in
        line.put("trigger", effect.trigger)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
      }
      digest.breathing.put("breathing", into: &line)
      put("calmest_hour", digest.extremeHours?.calmest, into: &line)
      put("most_stressed_hour", digest.extremeHours?.mostStressed, into: &line)
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func put(_ key: String, _ change: WeekChange, into line: inout JSONLine) {
    line.put(key) { line in
      line.put("this_week", change.now)
      line.put("week_before", change.before)
      line.put("days", change.daysNow)
      line.put("days_before", change.daysBefore)
      line.put(change.isRatio ? "ratio" : "difference", change.change)
      line.put("low", change.interval?.lowerBound)
      line.put("high", change.interval?.upperBound)
      line.put("changed", change.isChanged)
    }
  }

  private func put(_ key: String, _ hour: HourOfDay?, into line: inout JSONLine) {
    guard let hour else { return line.put(key, nil as String?) }
    line.put(key) { line in
      line.put("hour", hour.hour)
      line.put("stress_mean", hour.stress)
      line.put("days", hour.days)
    }
  }
}
