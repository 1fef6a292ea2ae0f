import History
import Reports

/// The components of the page Trends.
struct DesignTrends: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
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
