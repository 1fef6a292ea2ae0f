import History
import Localization
import Plot
import Reports
import Stress
import Terminal

extension WeekDocument {
  var figure: String {
    // Without the XML declaration, which is allowed only at the beginning of a document.
    week.figure.svg.split(separator: "\n").dropFirst()
      .joined(separator: "\n") + "\n"
  }

  var dayTable: ReportDocument.Block {
    let hrv = week.metric.definition.name
    let headings = ["day", "stress"] + StressCategory.allCases.map(\.rawValue) + [hrv, "HR", "measurements"]
    var caption = "Means of each day of two weeks. \(hrv) in ms"
    if let normal = week.normal {
      caption += ", normal at rest \(normal.lowerBound.fixed(0)) to \(normal.upperBound.fixed(0)) ms"
    }
    caption +=
      ", without paced breathing; heart rate in bpm, at rest \(week.baseline.restingHeartRate.fixed(0)) bpm."
    let rows = zip(week.days.period.parts, week.days.sums).map { dayRow($0.long, $1) }
    return .table(caption: caption, headings: headings, rows: rows)
  }

  private func dayRow(_ name: String, _ sums: MeasurementSums) -> [String] {
    var row = [name, mean(sums, .stress)]
    for category in StressCategory.allCases {
      row.append(sums.percent(category).map { "\($0.fixed(0)) %" } ?? "-")
    }
    row.append(mean(sums, week.metric.unpacedQuantity))
    row.append(mean(sums, .heartRate))
    row.append("\(sums.usable)")
    return row
  }

  private func mean(_ sums: MeasurementSums, _ quantity: MeasurementSums.Quantity) -> String {
    sums[quantity]?.mean.fixed(0) ?? "-"
  }

  var hours: String {
    guard let (calmest, mostStressed) = week.extremeHours else {
      return
        "It takes three hours of the clock, each measured on three days and for half an hour in all, to say which was the calmest."
    }
    let count = week.hours.count(where: \.isComparable)
    return """
      Calmest from \(calmest.clock) (stress \(calmest.stress.fixed(0)) on \(counted(calmest.days, "day"))), most stress from \
      \(mostStressed.clock) (\(mostStressed.stress.fixed(0)) on \(counted(mostStressed.days, "day"))), of \(counted(count, "hour")) that could \
      be compared. Of so many hours one is always the calmest: believe it when it comes again next week.
      """
  }

  var hourTable: ReportDocument.Block {
    .table(
      caption: "This week by the hours of the clock.",
      headings: ["hour", "stress", "SD", "HR", "days", "measurements"],
      rows: week.hours.map(hourRow))
  }

  private func hourRow(_ hour: HourOfDay) -> [String] {
    let deviation = hour.sums[.stress]?.deviation?.fixed(0) ?? "-"
    return [
      hour.clock, hour.stress.fixed(0), deviation, mean(hour.sums, .heartRate), "\(hour.days)",
      "\(hour.sums.usable)",
    ]
  }
}

extension HourOfDay {
  /// `14:00 to 15:00`
  fileprivate var clock: String { "\(hour):00 to \(hour + 1):00" }
}

extension WeekReport {
  fileprivate var figure: TrendFigure {
    TrendReport(profile: profile, trends: days, metric: metric, baseline: baseline, normal: normal).figure
  }
}
