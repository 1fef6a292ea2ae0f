import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports

/// Below the value on the page Now: the day as one curve, and while no session runs what to do next.
struct NowDay: Sendable {
  let day: DayListing.Day?
  let comparison: DayMeans.Comparison?
  /// Whether the measurements that count are those of the simulated strap.
  let isSimulated: Bool
  /// The session of the newest measurement, and whether this is a reading.
  let latest: (session: SessionID, isReading: Bool)?
  let suggestion: TodayReport.Suggestion
  private let report: StatusReport?
  private let today: Int64
  /// The night that ended today.
  private let night: NightReport?

  /// Reads the newest day with measurements.
  init(_ reader: HistoryReader, _ context: PageContext, _ model: NowModel) throws {
    let (calendar, now) = (LocalCalendar.system, SystemClock.wall)
    (today, report) = (calendar.day(of: now), model.report)
    night = try reader.countedNights(of: context.profile, in: Int(today)..<Int(today) + 1).first.map {
      try NightReport($0, reader)
    }
    let days = try DayListing(reader, of: context.profile, in: HistoryFilter.always, limit: 1).days
    day = days.last
    let last = day?.day ?? today
    let quarters = try reader.quarterHours(
      of: context.profile,
      in: calendar.start(ofDay: last - DayMeans.comparedDays)..<calendar.start(ofDay: last + 1))
    comparison = DayMeans(quarters, calendar).comparison(of: last)
    isSimulated = quarters.first?.isSimulated ?? false
    latest = try reader.latestMeasurements(of: context.profile, limit: 1).first.map {
      ($0.session, $0.isReading)
    }
    suggestion = try TodayReport(
      reader, of: context.profile, model.report, isMeasuring: model.feed != nil, now: now
    ).suggestion
  }

  /// The curve of the day. Hidden without one, until the script finds one.
  func html(_ context: PageContext) -> HTML {
    let nothing: HTML = "<div id=\"today\" data-refresh=\"\" hidden></div>"
    guard let day else { return nothing }
    let card = DayCard(day, comparison, isSimulated: isSimulated, context)
    guard let curve = card.curve else { return nothing }
    let date = TrendPeriod.date(day.day)
    let name =
      day.day == today
      ? context.localized("Today")
      : context.language.date(LocalCalendar.system.dayText(LocalCalendar.system.start(ofDay: day.day)))
    return """
      <section class="card day" id="today" data-refresh="" aria-labelledby="today-title">
      <div class="row between"><h2 id="today-title"><a href="\(context.path("/history?day=\(date)"))">\(name)</a></h2>\
      \(isSimulated ? context.simulatedTag : nil)</div>
      \(day.day == today ? nil : "<p class=\"judgement\">\(card.sentence)</p>" as HTML)
      \(curve)\(CategoryShares(context) { day.sums[$0] }.html)</section>
      """
  }

  /// The card of the last night; nothing without one.
  func lastNight(_ context: PageContext) -> HTML? {
    guard let night else { return nil }
    let sentences = night.sentences.map { "<p>\(context.localized($0))</p>" as HTML }
    return """
      <section class="card stack" id="last-night" aria-labelledby="last-night-title">\
      <div class="row between"><h2 id="last-night-title">\
      <a href="\(context.path("/trends?show=nights"))">\(context.localized("Last night"))</a></h2>\
      \(night.night.isSimulated ? context.simulatedTag : nil)</div>\(sentences)</section>
      """
  }

  // MARK: What to do next

  /// What the last value leads to. The style sheet shows it while no session runs.
  func next(_ context: PageContext) -> HTML {
    let (sentence, action) = advice(context)
    let open = latest.map { latest in
      context.button(
        "/history/sessions/\(latest.session.text)",
        latest.isReading ? context.localized("Open this reading") : context.localized("Open this session"))
    }
    return """
      <div class="next stack" id="next" data-refresh="">\(meaning.map { "<p>\(context.sentence($0))</p>" as HTML })\
      <p>\(sentence)</p><div class="row">\(action)\(open)</div></div>
      """
  }

  /// HRV beside the normal range unless the ring states it, or for a reading when the range is known.
  private var meaning: Phrase? {
    guard report?.normalPhrase == nil, latest?.isReading ?? false else { return report?.otherNormalPhrase }
    return Phrase("your normal range is known after five days with a reading at rest")
  }

  private func advice(_ context: PageContext) -> (String, HTML?) {
    switch suggestion {
    case .breathe:
      (
        context.localized("Breathing slowly for a few minutes can calm you."),
        ExerciseCards.offer(context)
      )
    case .morning:
      (
        context.localized("This morning's reading is still missing."),
        context.button("/#actions", context.localized("Morning reading"))
      )
    case .measure:
      (
        context.localized("Nothing was measured today. Sit still for a minute and take a reading."),
        context.button("/#actions", context.localized("Take a reading"), "primary")
      )
    case .journal:
      (
        context.localized("How do you feel? Note it, and later you see what goes together."),
        context.button("/journal", context.localized("Note how you feel"), "primary")
      )
    case .trends, .attach:
      (
        context.localized("See how your week went."),
        context.button("/trends", context.localized("Look at your week"), "primary")
      )
    }
  }
}
