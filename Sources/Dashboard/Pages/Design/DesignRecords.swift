import HeartRate
import History
import Localization
import Reports
import Stress

/// The components of the pages History, Trends and Journal.
struct DesignRecords: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
    get throws {
      let model = try DesignSamples.month(context)
      return [
        Group("Day", isWide: true, days(model)),
        Group("Month", [month(model)]),
        Group(
          "Week of moods", isWide: true,
          [Specimen("seven days", MoodWeek(moods: DesignSamples.running.moods, context: context).html)]),
        Group("Tables and lists of values", [table, facts, reading]),
        Group(
          "Deletion",
          [
            deletion,
            Specimen(
              "nothing",
              DeletionPreview(context: context, summary: DeletionSummary()).html(
                action: "/history/delete", back: "/history")),
          ]),
      ] + trends
    }
  }

  private func days(_ model: HistoryModel) -> [Specimen] {
    let day = DesignSamples.measuredDay
    let empty = DayListing.Day(day: DesignSamples.day - 1, quarters: [], moods: [], items: [])
    return [
      Specimen(
        "measured", DayCard(day, model.means.comparison(of: day.day), isSimulated: false, context).html),
      Specimen("not measured", DayCard(empty, nil, isSimulated: false, context).html),
    ]
  }

  private func month(_ model: HistoryModel) -> Specimen {
    let map = MonthMap(month: model.span.months[0], model: model, context: context)
    return Specimen("each category, today, and days without values", "<div class=\"card\">\(map.html)</div>")
  }

  // MARK: Tables

  private var table: Specimen {
    Specimen(
      "table",
      DataTable(
        caption: context.localized("Before, during and after"),
        headings: ["", context.localized("Before"), context.localized("During"), context.localized("After")],
        rows: [
          DataTable.Row([.init(context.localized("Heart rate in bpm")), "71.2", "66.0", "64.9"]),
          DataTable.Row([.init(context.localized("Stress")), "58", "44", "-"]),
        ]
      ).html)
  }

  private var facts: Specimen {
    var facts = FactList()
    facts.add(context.localized("Start"), context.time(DesignSamples.time(8)))
    facts.add(context.localized("Mean heart rate"), context.value(68, 0, context.localized("bpm")))
    facts.add(context.localized("Stress"), context.stress(38, 29...49, .mild))
    facts.add(context.localized("Stress"), context.stress(38, nil, nil))
    return Specimen("values with their names", facts.html)
  }

  /// The value under the cursor of a chart.
  private var reading: Specimen {
    let (stress, word) = (context.localized("stress"), context.language.lowercasedWord(.mild))
    return Specimen(
      "value at the cursor",
      ChartFigure.reading("sample", "12:00: \(stress) 42, \(context.localized("category")) \(word)"))
  }

  private var deletion: Specimen {
    var summary = DeletionSummary()
    (summary.sessions, summary.measurements, summary.journalEntries) = (2, 1250, 1)
    summary.times = DesignSamples.time(8)...DesignSamples.time(20)
    return Specimen(
      "preview",
      DeletionPreview(context: context, summary: summary).html(action: "/history/delete", back: "/history"))
  }

  // MARK: Trends

  private var trends: [Group] {
    [
      Group(
        "Trends", isWide: true, [Specimen("week", week(true)), Specimen("nothing measured", week(false))]),
      Group("Every day of a year", isWide: true, [Specimen("24 days", year)]),
      Group(
        "Mornings", isWide: true,
        [
          Specimen("30 days", mornings(DesignSamples.mornings)),
          Specimen("no reading", mornings(DailyTrend(profile: DesignSamples.profile, days: 0..<30, all: []))),
        ]),
    ]
  }

  private func week(_ isMeasured: Bool) -> HTML {
    TrendView(
      report: DesignSamples.trends(isMeasured: isMeasured), before: 41, days: nil, effects: [],
      context: context
    ).html
  }

  private var year: HTML {
    YearMap(means: DesignSamples.means, days: DesignSamples.day - 60..<DesignSamples.day + 1, context).html
  }

  private func mornings(_ trend: DailyTrend<StoredMorning>) -> HTML {
    DailyTrendView(trend: trend, context: context).html
  }
}
