import HeartRate
import History
import Localization
import Platform
import Reports
import Testing

@testable import Dashboard

@Suite struct TrendsPageTests {
  private static let measured = try! ServerFixture()
  private var server: ServerFixture { Self.measured }

  @Test(arguments: ["day", "week", "month", "year"])
  func eachSpanShowsChartsWithCaptionsAndTables(_ span: String) async throws {
    let page = try await server.page("/trends?show=\(span)")
    for id in ["stress", "hrv", "heart-rate"] {
      #expect(page.contains("<figure class=\"chart\" id=\"\(id)\">"), "\(id)")
    }
    #expect(
      page.ranges(of: "<figcaption>").count == 3
        && page.ranges(of: "<details class=\"chart-data\">").count == 3)
    #expect(page.ranges(of: "role=\"img\" aria-label=").count == 3)
    #expect(page.contains("url(#stress-") && page.contains("aria-label=\"Time in each category\""))
    #expect(!page.contains(" style=") && page.utf8.count < 100_000)
  }

  @Test func identifiersOfFiguresAreUnique() async throws {
    let page = try await server.page("/trends")
    let identifiers = page.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
    #expect(Set(identifiers).count == identifiers.count)
  }

  @Test func theSummaryEqualsTheStoredMeasurements() async throws {
    let usable = try server.reader().latestMeasurements(of: "me", limit: .max).filter(\.isUsable)
    let count = usable.count
    let page = try await server.page("/trends?show=week")
    #expect(page.contains("; \(count) measurements, confidence "))
  }

  @Test func everyColourOfAFigureHasARuleForTheThemes() async throws {
    let style = String(decoding: StyleSheet.text, as: UTF8.self)
    let session = try server.session().info.id.text
    for path in ["/trends", "/history/sessions/\(session)"] {
      let page = try await server.page(path)
      // The hues of the categories are the same in every theme.
      let hues = Set(
        page.matches(of: /<rect width="8" height="8" fill="(#[0-9a-fA-F]{6})"/).map { $0.1.lowercased() })
      let colours = Set(page.matches(of: /(?:fill|stroke)="(#[0-9a-fA-F]{6})"/).map { $0.1.lowercased() })
      for colour in colours.subtracting(hues) {
        #expect(style.contains("=\"\(colour)\"]"), "\(colour) in \(path)")
      }
    }
  }

  @Test func daysOfAMonthAreNamedWithTheirMonth() async throws {
    let calendar = LocalCalendar.system
    let page = try await server.page("/trends?show=month")
    let labels = page.matches(of: />(\d+ [A-Z][a-z]{2})<\/text>/).map { String($0.1) }
    // Every fifth of 30 days, in three charts.
    let days = stride(
      from: calendar.day(of: SystemClock.wall) - 29, through: calendar.day(of: SystemClock.wall), by: 5)
    #expect(Set(labels) == Set(days.map(Language.english.dayOfMonth)))
    #expect(page.contains("<div class=\"columns\">"))
    #expect(page.contains("<details class=\"card\"><summary>Statistics</summary>"))
  }

  @Test func moodsAreAChart() async throws {
    let server = try ServerFixture()
    #expect(!(try await server.page("/trends").contains("id=\"moods\"")))
    for (mood, day) in [(3, 1), (8, 3)] {
      try server.note(nil, mood: mood, at: SystemClock.wall.moved(seconds: Int64(-86_400 * day)))
    }
    let page = try await server.page("/trends?show=week")
    #expect(page.contains("<figure class=\"chart\" id=\"moods\">"))
    #expect(page.contains("Moods from 1 (very anxious) to 10 (very calm)."))
    #expect(page.contains(">3.0</td>") && page.contains(">8.0</td>"))
  }

  @Test func pagesWithoutDataShowWhatToDoNext() async throws {
    let server = try ServerFixture(measures: false)
    for (path, text) in [
      ("/trends", "No stress values in this period"), ("/trends?show=mornings", "No morning readings yet"),
      ("/trends/week", "No stress values were measured on these days"),
    ] {
      #expect(try await server.page(path).contains(text), "\(path)")
    }
  }

  @Test func theWeeklyReportIsAPageWithLinksToOtherWeeks() async throws {
    let page = try await server.page("/trends/week")
    #expect(page.contains("Compared with before") && page.contains("id=\"week\""))
    #expect(page.contains("/trends/week?ending=") && !page.contains("Next week"))
    let earlier = try await server.page("/trends/week?ending=2020-01-05")
    #expect(earlier.contains("Next week"))
    #expect(try await server.request("GET", "/trends/week?ending=x").status == 400)
    #expect(try await server.request("GET", "/trends?show=decade").status == 400)
  }

  @Test func morningReadingsAreShownAgainstTheNormalRange() async throws {
    let server = try ServerFixture(measures: false)
    try server.addMornings(count: 12)
    let page = try await server.page("/trends?show=mornings")
    #expect(
      page.contains("id=\"mornings\"") && page.contains("of 100: ") && page.contains("Your normal range: "))
    #expect(page.ranges(of: "data-point=").count == 12)
  }
}
