import History
import Localization
import Plot
import Reports
import Stress

/// The morning readings or the nights of 30 days against the normal range.
struct DailyTrendView<Reading: DailyReading>: Sendable {
  let trend: DailyTrend<Reading>
  let context: PageContext

  var html: HTML {
    guard let last = trend.readings.last else { return isNight ? noNight : nothing }
    let caption = context.localized(trend.caption)
    let chart = trend.figure(context.language).hrvChart(name: caption, unit: "HRV (ms)")
    let rows = trend.readings.map { day in
      let place = day.reading.day - trend.days.lowerBound
      return DataTable.Row(
        cells(day), point: chart.points.indices.contains(place) ? chart.points[place] : nil)
    }
    let table = DataTable(caption: caption, headings: headings, rows: rows)
    return """
      <section class="card stack headline">\(trend.isSimulated ? "<p>\(context.simulatedTag)</p>" : nil)\(latest(last))</section>
      <section class="card stack"><h2>\(isNight ? context.localized("Nights") : context.localized("Mornings"))</h2>\
      \(ChartFigure(Reading.source.rawValue, chart, caption: caption, table: table, context).html)</section>
      """
  }

  private var isNight: Bool { Reading.source == .nights }

  private var noNight: HTML {
    EmptyState(
      context.localized("No nights yet"),
      advice: context.localized(
        "Wear the strap at night, with a session from the evening to the morning. After some nights you see your normal range."
      ),
      action: context.button("/", context.localized("Start a session"), "primary")
    ).html
  }

  private var nothing: HTML {
    EmptyState(
      context.localized("No morning readings yet"),
      advice: context.localized(
        "Measure for a minute right after waking up, always in the same posture. After some days you see your normal range."
      ),
      action: context.button("/", context.localized("Morning reading"), "primary")
    ).html
  }

  /// The judgement of the latest reading, what to do, and its position in the normal range.
  private func latest(_ last: DailyTrend<Reading>.Day) -> HTML {
    let assessment = last.assessment
    let day = context.language.date(TrendPeriod.date(Int64(last.reading.day)))
    let judgement = assessment.verdict.map {
      "<p class=\"judgement\">\(context.localized($0.phrase))</p>" as HTML
    }
    let advice = isNight ? nil : assessment.advice.map { "<p>\(context.localized($0))</p>" as HTML }
    let position = assessment.normal.map { normal -> HTML in
      let (rmssd, place) = (assessment.rmssd.fixed(1), normal.phrase(assessment.rmssd, today: assessment.day))
      return "<p>\(context.sentence(Phrase("HRV \(rmssd) ms, \(place)")))</p>"
    }
    let range = trend.range(assessment)
    let origin = assessment.normal == nil ? context.localized(range) : context.sentence(range)
    return "<p class=\"quiet\">\(day)</p>\(judgement)\(advice)\(position)<p>\(origin)</p>"
  }

  private var headings: [String] {
    [
      context.localized("day"), context.localized("HRV"), context.localized("normal range"),
      context.localized("position"),
      context.localized("7-day mean"), "CV %", context.localized("HR"),
    ] + (isNight ? [] : [context.localized("posture")])
  }

  private func cells(_ day: DailyTrend<Reading>.Day) -> [DataTable.Cell] {
    let (reading, assessment) = (day.reading, day.assessment)
    return [
      .init(context.language.date(TrendPeriod.date(Int64(reading.day)))),
      .init(context.value(reading.rmssd, 1)),
      .init(assessment.normal?.text ?? "-"),
      .init(assessment.position.map { context.localized($0.word) } ?? "-"),
      .init(context.value(assessment.week?.mean, 2)),
      .init(context.value(assessment.week?.variation ?? nil, 1)),
      .init(context.value(reading.heartRate, 0)),
    ] + (reading.seriesPosture.map { [.init(context.localized($0.name))] } ?? [])
  }
}
