import HTTPTypes
import HeartRate
import History
import Localization
import Platform
import Reports
import Stress
import Testing

@testable import Dashboard

@Suite struct HistoryPageTests {
  /// A history with a session of ten minutes, which the tests of this suite read and do not change.
  private static let measured = try! ServerFixture()
  private var server: ServerFixture { Self.measured }

  private func identifiers(_ page: String) -> [String] {
    page.matches(of: /\/history\/measurements\/([0-9]+)/).map { String($0.1) }
  }

  @Test func aDayShowsItsCurveSessionsAndTimeInEachCategory() async throws {
    let page = try await server.page("/history")
    let session = try server.session()
    let day = Language.english.date(LocalCalendar.system.dayText(session.info.started))
    #expect(page.contains(">\(day)</time></a></h2>"))
    #expect(page.contains("/history/sessions/\(session.info.id.text)") && page.contains("Session, 10 min"))
    // The area of a category, its row in the table of hours, and the time in each category.
    #expect(page.contains("clip-path=\"url(#curve-") && page.contains("aria-label=\"Time in each category\""))
    #expect(page.contains("data-point=") && page.contains("<caption>Mean of each hour.</caption>"))
    #expect(identifiers(page).isEmpty && !page.contains(" style="))
  }

  @Test func theCalendarNamesTheValueOfADayInWords() async throws {
    let page = try await server.page("/history")
    let session = try server.session()
    let date = LocalCalendar.system.text(session.info.started).prefix(10)
    let mean = try #require(
      try DayMeans(server.reader().quarterHours(of: "me", in: HistoryFilter.always))[
        LocalCalendar.system.day(of: session.info.started)]?[.stress]?.mean)
    let cell = try #require(page.ranges(of: "href=\"/history?day=\(date)\"").first)
    let text = page[cell.upperBound...].prefix(500)
    #expect(text.contains("<span class=\"visually-hidden\">: \(mean.fixed(0)) "))
    #expect(page.contains("<th scope=\"col\">Mon</th>") && page.contains("Mean stress of each day"))
  }

  @Test(arguments: ["today", "week", "month", "all"])
  func eachQuickSelectionShowsTheDay(_ span: String) async throws {
    let page = try await server.page("/history?span=\(span)")
    let date = LocalCalendar.system.text(try server.session().info.started).prefix(10)
    #expect(page.contains("href=\"/history?day=\(date)\""))
    #expect(page.contains("?span=\(span)\" aria-current=\"page\""))
  }

  @Test func aDayOpensAloneAndNamesItselfInTheTitle() async throws {
    let date = LocalCalendar.system.text(try server.session().info.started).prefix(10)
    let page = try await server.page("/history?day=\(date)")
    #expect(
      page.contains(/<title>History, \d{1,2} \w{3} \d{4} - stressmon<\/title>/)
        && page.contains("id=\"day-\(date)\""))
    let empty = try await server.page("/history?day=2001-01-01")
    #expect(empty.contains("Nothing was measured on these days"))
  }

  @Test(arguments: ["day=2026-13-01", "day=x", "month=2026", "span=year", "before=1"])
  func aWrongSpanIsRejected(_ query: String) async throws {
    #expect(try await server.request("GET", "/history?\(query)").status == 400)
  }

  /// The rows of sessions named the simulated strap beside their mark.
  @Test func aSimulatedSessionIsMarkedOnce() async throws {
    let page = try await server.page("/history")
    let row = try #require(page.firstMatch(of: /<li><a href="\/history\/sessions\/.*/)).0
    #expect(row.contains("<span class=\"tag\">simulated</span>") && !row.contains("Simulated"))
  }

  @Test func journalEntriesStandBesideTheSessionsOfTheirDay() async throws {
    let server = try ServerFixture()
    let session = try server.session()
    try server.note(
      hostileName, mood: 3, triggers: ["<b>coffee</b>"],
      at: session.info.started.advanced(ticks: 300 * RRInterval.ticksPerSecond))
    let page = try await server.page("/history")
    expectHarmless(page)
    #expect(page.contains("&lt;b&gt;coffee&lt;/b&gt;") && page.contains("mood 3, anxious"))
    let entry = try #require(page.ranges(of: "/journal/entries/1").first)
    let row = try #require(page.ranges(of: "<li><a href=\"/history/sessions/").first)
    #expect(row.lowerBound < entry.lowerBound)
    #expect(page.contains("class=\"curve-lane\""))
  }

  @Test func earlierDaysFollowOnFurtherPages() async throws {
    let server = try ServerFixture(measures: false)
    let calendar = LocalCalendar.system
    // The days of one month.
    let month = HistorySpan.month(of: calendar.day(of: SystemClock.wall) - 31)
    let days = month.prefix(HistoryModel.mostDays * 2 + 3)
    for day in days { try server.note("n", at: calendar.start(ofDay: day).moved(seconds: 43_200)) }
    var path: String? = "/history?month=\(HistorySpan.text(month: month))"
    var (seen, pages): ([String], Int) = ([], 0)
    while let current = path, pages < 5 {
      let page = try await server.page(current.replacing("&amp;", with: "&"))
      seen += page.matches(of: /id="day-([0-9-]+)"/).map { String($0.1) }
      path = page.firstMatch(of: /href="(\/history\?[^"]*before=[0-9-]+)"/).map { String($0.1) }
      pages += 1
    }
    #expect(seen == days.reversed().map(TrendPeriod.date) && pages == 3)
  }

  @Test func pagesOfMeasurementsAreAdjacentAndComplete() async throws {
    let server = try ServerFixture()
    try server.measure()
    let all = try server.reader().latestMeasurements(of: "me", limit: .max).map { "\($0.id)" }
    try #require(all.count > MeasurementsPage.length)
    var (path, seen): (String?, [String]) = (HistoryQuery.path, [])
    while let current = path, seen.count <= all.count {
      let page = try await server.page(current)
      seen += identifiers(page)
      path = page.firstMatch(of: /href="(\/history\/measurements\?before=[0-9-]+)"/).map { String($0.1) }
    }
    #expect(seen == all)
  }

  @Test func filtersSelectMeasurements() async throws {
    let reader = try server.reader()
    let all = try reader.latestMeasurements(of: "me", limit: .max)
    let session = try server.session().info.id.text
    let day = LocalCalendar.system.text(all[0].time).prefix(10)
    for (query, filter) in [
      ("category=relaxed", { $0.category == .relaxed }),
      ("category=mild&category=moderate", { [.mild, .moderate].contains($0.category) }),
      ("confidence=90", { $0.confidence.value >= 0.9 }),
      ("session=\(session)", { $0.session.text == session }),
      (
        "from=\(day)&to=\(day)&strap=&confidence=&session=",
        { String(LocalCalendar.system.text($0.time).prefix(10)) == day }
      ),
      ("from=2001-01-01&to=2001-01-02", { _ in false }),
    ] as [(String, (StoredMeasurement) -> Bool)] {
      let page = try await server.page("/history/measurements?\(query)")
      let expected = all.filter(filter).map { "\($0.id)" }
      let shown = identifiers(page)
      #expect(Array(expected.prefix(shown.count)) == shown, "\(query)")
      #expect(expected.isEmpty == shown.isEmpty, "\(query)")
    }
  }

  @Test(arguments: [
    ("from=yesterday", "from"), ("to=2026-13-01", "to"), ("from=2026-11-02&to=2026-11-01", "to"),
    ("category=calm", "category"), ("confidence=200", "confidence"), ("confidence=x", "confidence"),
    ("session=ZZZ", "session"),
  ])
  func aWrongFilterIsReportedBesideItsField(_ query: String, _ field: String) async throws {
    let answer = try await server.request("GET", "/history/measurements?\(query)")
    #expect(answer.status == 422 && answer.text.contains("href=\"#\(field)\""))
    #expect(answer.text.contains("class=\"field-error\""))
  }

  @Test func anEmptyHistoryAndAnEmptySelectionShowWhatToDoNext() async throws {
    let empty = try await ServerFixture(measures: false).page("/history")
    #expect(empty.contains("Nothing is stored yet") && empty.contains("Take a reading"))
    let none = try await server.page("/history/measurements?from=2001-01-01&to=2001-01-02")
    #expect(none.contains("Nothing matches these filters") && none.contains("href=\"/history/measurements\""))
  }

  @Test func aMeasurementShowsItsFormulaFactorsAndBeats() async throws {
    let measurement = try #require(
      try server.reader().latestMeasurements(of: "me", limit: 20).first { $0.stress != nil })
    let page = try await server.page("/history/measurements/\(measurement.id)")
    let stress = try #require(measurement.stress)
    #expect(page.contains("= \(stress.fixedForTest)</code>"))
    #expect(page.contains("nHRV = (") && page.contains("hrComponent = max(0, atan"))
    #expect(page.contains("level of HRV") && page.contains("<svg viewBox"))
    #expect(page.contains("data-point=") && page.contains("/history/sessions/\(measurement.session.text)"))
    #expect(!page.contains(" style="))
    for path in ["/history/measurements/0", "/history/measurements/x", "/history/measurements/999999"] {
      let missing = try await server.request("GET", path)
      #expect(missing.status == 404 && missing.text.contains("Back to the history"))
    }
  }

  @Test func aSessionShowsFiguresMetricsAndExports() async throws {
    let id = try server.session().info.id.text
    let page = try await server.page("/history/sessions/\(id)")
    #expect(page.ranges(of: "<svg viewBox=\"0 0").count >= 3)
    for text in [
      "RMSSD", "SDNN", "Poincaré plot", "clip-path=\"url(#stress-", "For researchers", "format=fit",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.utf8.count < 100_000 && !page.contains(" style=") && !page.contains("onclick"))
    #expect(try await server.request("GET", "/history/sessions/01K").status == 404)
  }

  @Test func aSessionIsDownloadedInEachFormat() async throws {
    let id = try server.session().info.id.text
    for (format, start) in [("csv", "session,"), ("jsonl", "{\""), ("kubios", "[Params]")] {
      let answer = try await server.request("GET", "/history/export/\(id)?format=\(format)")
      #expect(answer.status == 200 && answer.text.hasPrefix(start), "\(format): \(answer.text.prefix(40))")
      #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"\(id).") == true)
    }
    let intervals = try await server.request("GET", "/history/export/\(id)?format=rr").text.split(
      separator: "\n")
    #expect(
      intervals.count > 300 && intervals.allSatisfy { Double($0).map { (300...2000).contains($0) } ?? false })
    #expect(try await server.request("GET", "/history/export/\(id)?format=exe").status == 400)
    #expect(try await server.request("GET", "/history/export/01K?format=csv").status == 404)
  }

  @Test func aSessionIsDeletedAfterAPreview() async throws {
    let server = try ServerFixture()
    let session = try server.session()
    let id = session.info.id.text
    let preview = try await server.page("/history/delete?session=\(id)")
    #expect(
      preview.contains("<li>1 session</li>")
        && preview.contains("<li>\(session.measurements) measurements</li>"))
    #expect(
      preview.contains("method=\"post\""))
    #expect(try !server.reader().sessions(of: "me", limit: 1).isEmpty)
    let answer = try await server.form("/history/delete", ["session": id])
    #expect(answer.status == 303 && answer.headers[.location] == "/history?notice=deleted")
    #expect(try server.reader().sessions(of: "me", limit: 1).isEmpty)
    #expect(try server.reader().latestMeasurements(of: "me", limit: 1).isEmpty)
    #expect(try await server.page("/history?notice=deleted").contains("deleted permanently"))
    let lines = server.audit.withLock { $0 }
    #expect(lines.count == 1 && lines[0].hasSuffix("POST /history/delete permitted (full) 303"))
  }

  @Test func daysAreDeletedAfterAPreviewAndOtherDaysAreKept() async throws {
    let server = try ServerFixture(measures: false)
    let calendar = LocalCalendar.system
    let today = calendar.day(of: SystemClock.wall)
    for days in [0, 3] as [Int64] { try server.note("n", at: calendar.start(ofDay: today - days)) }
    let date = String(calendar.text(calendar.start(ofDay: today - 3)).prefix(10))
    let preview = try await server.page("/history/delete?from=\(date)&to=\(date)")
    #expect(preview.contains("<li>1 journal entry</li>"))
    #expect(try await server.form("/history/delete", ["from": date, "to": date]).status == 303)
    #expect(try server.reader().journal(of: "me").count == 1)
    for fields in [["from": "", "to": ""], ["from": "x", "to": date]] as [KeyValuePairs<String, String>] {
      #expect(try await server.form("/history/delete", fields).status == 422)
    }
    #expect(try server.reader().journal(of: "me").count == 1)
  }

  @Test func aReadOnlyServerHasNoFormsAndDeletesNothing() async throws {
    let server = try ServerFixture(isReadOnly: true)
    let session = try server.session().info.id.text
    for path in ["/history", "/history/sessions/\(session)", "/history/delete?session=\(session)"] {
      let page = try await server.page(path)
      #expect(!page.contains("method=\"post\""), "\(path)")
    }
    #expect(try await server.form("/history/delete", ["session": session]).status == 403)
    #expect(try !server.reader().sessions(of: "me", limit: 1).isEmpty)
  }
}

extension Double {
  /// The number with one decimal, as the page shows it.
  fileprivate var fixedForTest: String { "\((self * 10).rounded() / 10)" }
}
