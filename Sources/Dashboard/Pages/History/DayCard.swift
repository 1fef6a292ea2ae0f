import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// A day: a judgement in plain words, its stress from 0 to 24 h with what happened, the time in each category, and its sessions.
struct DayCard: Sendable {
  let day: DayListing.Day
  let comparison: DayMeans.Comparison?
  /// Whether its measurements that count are those of the simulated strap.
  let isSimulated: Bool
  let context: PageContext
  private let calendar = LocalCalendar.system

  private var date: String { TrendPeriod.date(day.day) }
  private var times: Range<WallTime> { calendar.start(ofDay: day.day)..<calendar.start(ofDay: day.day + 1) }

  init(_ day: DayListing.Day, _ comparison: DayMeans.Comparison?, isSimulated: Bool, _ context: PageContext) {
    (self.day, self.comparison, self.isSimulated, self.context) = (day, comparison, isSimulated, context)
  }

  var html: HTML {
    let name = context.language.date(calendar.dayText(times.lowerBound))
    return """
      <section class="card day" id="day-\(date)" aria-labelledby="name-\(date)">
      <div class="row between"><h2 id="name-\(date)"><a href="\(context.path("/history?day=\(date)"))">\
      <time datetime="\(date)">\(name)</time></a></h2>\(tags)</div>
      <p class="judgement">\(sentence)</p>
      \(curve)\(CategoryShares(context) { day.sums[$0] }.html)
      \(day.items.isEmpty ? nil : "<ol class=\"items\">\(day.items.map(item))</ol>")
      </section>
      """
  }

  /// The judgement about the day.
  var sentence: String {
    guard let comparison else { return context.localized("No stress value on this day.") }
    return context.localized(comparison.sentence)
  }

  private var tags: HTML? {
    let mean = comparison.map { context.stress($0.mean, nil, StressCategory(score: $0.mean)) }
    let mood = day.moods.mean.map { mean in
      "<span class=\"tag\">\(context.localized("mood \(mean.fixed(day.moods.count == 1 ? 0 : 1))"))</span>"
        as HTML
    }
    let parts = [mean, mood, isSimulated && comparison != nil ? context.simulatedTag : nil].compactMap(\.self)
    return parts.isEmpty ? nil : "<div class=\"row\">\(parts.joined(separator: " "))</div>"
  }

  // MARK: Curve

  /// The curve, if the day has a stress value.
  var curve: HTML? {
    let quarters = day.quarters.filter { $0.sums[.stress] != nil }
    guard !quarters.isEmpty else { return nil }
    let values = quarters.compactMap { quarter in
      quarter.sums[.stress].map {
        StressCurve.Value(
          start: fraction(quarter.start), end: fraction(quarter.start.moved(seconds: 900)), stress: $0.mean)
      }
    }
    let ticks = [0, 6, 12, 18, 24].map { (at: Double($0) / 24, text: "\($0)") }
    return StressCurve(
      id: "curve-\(date)", values: values, spans: sessions.map(\.span), marks: marks, ticks: ticks,
      caption: context.localized("Stress of the day from 0 to 24 h, by quarters of an hour."),
      table: table(quarters)
    ).html(context)
  }

  private func fraction(_ time: WallTime) -> Double {
    let (start, end) = (Double(times.lowerBound.microseconds), Double(times.upperBound.microseconds))
    return min(max((Double(time.microseconds) - start) / (end - start), 0), 1)
  }

  private var sessions: [(id: SessionID, span: Range<Double>)] {
    day.items.compactMap { item in
      guard case .session(let summary) = item else { return nil }
      let start = summary.session.info.started
      let end = fraction(start.advanced(ticks: summary.session.length.ticks))
      return (summary.session.info.id, fraction(start)..<max(fraction(start), end))
    }
  }

  private var marks: [StressCurve.Mark] {
    day.items.compactMap { item in
      switch item {
      case .session: nil
      case .note(.entry(let entry)):
        StressCurve.Mark(at: fraction(entry.time), icon: entry.mood.map(MoodWeek.face) ?? Icon.pen)
      case .note(.exercise(let exercise)): StressCurve.Mark(at: fraction(exercise.time), icon: Icon.wind)
      case .note(.morning(let reading)): StressCurve.Mark(at: fraction(reading.time), icon: Icon.sunrise)
      case .note(.night): nil
      }
    }
  }

  /// The means of the hours. An hour links to the session that was running then.
  private func table(_ quarters: [QuarterHour]) -> DataTable {
    let hours = Dictionary(grouping: quarters) { calendar.clockText($0.start).prefix(2) }
    let rows = hours.sorted { $0.key < $1.key }.compactMap { hour, quarters -> DataTable.Row? in
      let sums = quarters.reduce(into: MeasurementSums()) { $0 += $1.sums }
      guard let stress = sums[.stress]?.mean else { return nil }
      let middle =
        (fraction(quarters[0].start) + fraction(quarters[quarters.count - 1].start.moved(seconds: 900))) / 2
      let name = "\(hour):00"
      let session = sessions.first {
        $0.span.upperBound > middle - 1 / 48 && $0.span.lowerBound < middle + 1 / 48
      }
      let heading: HTML =
        session.map { "<a href=\"\(context.path("/history/sessions/\($0.id.text)"))\">\(name)</a>" }
        ?? "\(name)"
      return DataTable.Row(
        [
          .init(heading), .init(stress.fixed(0)),
          .init(context.language.lowercasedWord(StressCategory(score: stress))),
          .init(context.value(sums[.heartRate]?.mean, 0)), .init(context.value(sums[.rmssd]?.mean, 0)),
        ], at: StressCurve.point(middle, stress))
    }
    return DataTable(
      caption: context.localized("Mean of each hour."),
      headings: [
        context.localized("time"), context.localized("stress"), context.localized("category"),
        context.localized("HR"), context.localized("HRV (RMSSD) in ms"),
      ], rows: rows)
  }

  // MARK: Items

  private func item(_ item: DayListing.Item) -> HTML {
    switch item {
    case .session(let summary): row(summary)
    case .note(.entry(let entry)): row(entry)
    case .note(.exercise(let exercise)):
      row(
        "/history/sessions/\(exercise.session.text)", Icon.wind, exercise.time,
        Exercise(exercise.pattern).map { $0.name(context) }
          ?? context.localized("Breathing \(exercise.pattern)"),
        "\(([exercise.done] + exercise.outcome).map { "<span>\(context.localized($0))</span> " as HTML })\(exercise.isSimulated ? context.simulatedTag : nil)"
      )
    case .note(.morning(let reading)):
      row(
        "/history/sessions/\(reading.session.text)", Icon.sunrise, reading.time,
        context.localized("Morning reading"),
        "<span>\(context.localized(reading.summary))</span>")
    case .note(.night(let night)):
      row(
        "/history/sessions/\(night.session.text)", Icon.moon, night.time, context.localized("Night"),
        "<span>\(context.localized(night.summary))</span>")
    }
  }

  private func row(_ path: String, _ icon: HTML, _ time: WallTime, _ name: String, _ content: HTML) -> HTML {
    """
    <li><a href="\(context.path(path))">\(icon) <span class="number">\(clock(time))</span> \(name)</a> \(content)</li>
    """
  }

  /// The time of day in minutes, with the date of a session that began on an earlier day.
  private func clock(_ time: WallTime) -> String {
    let clock = String(calendar.clockText(time).prefix(5))
    return time < times.lowerBound ? "\(context.language.dayOfMonth(calendar.day(of: time))) \(clock)" : clock
  }

  private func row(_ summary: DayListing.SessionSummary) -> HTML {
    let (session, means) = (summary.session, summary.means)
    let duration = context.length(session.length.seconds)
    let name = means.isReading ? context.localized("Reading") : "\(context.localized("Session")), \(duration)"
    let values: [HTML?] = [
      means.stress.map { context.stress($0, means.range, StressCategory(score: $0)) },
      means.rmssd.map { "<span>\(context.localized("HRV \($0.fixed(0)) ms"))</span>" },
      means.heartRate.map { "<span>\($0.fixed(0)) \(context.localized("bpm"))</span>" },
      session.info.source == .simulated ? context.simulatedTag : nil,
      means.isReading || sessions.count < 2 ? nil : shares(means),
    ]
    return row(
      "/history/sessions/\(session.info.id.text)", Icon.pulse, session.info.started, name,
      values.compactMap(\.self).joined(separator: " "))
  }

  private func shares(_ means: SessionMeans) -> HTML? {
    var shares = CategoryShares(context) { means[$0] }
    shares.hasBar = false
    return shares.html
  }

  private func row(_ entry: JournalEntry) -> HTML {
    let mood = entry.moodPhrase.map { "<span>\(context.localized($0))</span> " as HTML }
    let triggers = entry.triggers.map { "<span class=\"tag\">\($0)</span> " as HTML }
    let note = entry.note.map { "<span class=\"note\">\($0)</span>" as HTML }
    return row(
      "/journal/entries/\(entry.id)", entry.mood.map(MoodWeek.face) ?? Icon.pen, entry.time,
      context.localized("Journal"), "\(mood)\(triggers)\(note)")
  }
}
