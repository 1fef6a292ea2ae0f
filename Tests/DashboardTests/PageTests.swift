import Breathing
import HRV
import HTTPTypes
import HeartRate
import History
import JSONLines
import LiveFeed
import LiveSession
import Reports
import Stress
import Testing

@testable import Dashboard

@Suite struct PageTests {
  private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]
  /// A form of a page of this server, as browsers send it with Referrer-Policy no-referrer.
  private static let form: HTTPFields = [
    .contentType: "application/x-www-form-urlencoded", .origin: "null",
    HTTPField.Name("Sec-Fetch-Site")!: "same-origin",
  ]

  private func post(_ fixture: ServerFixture, _ path: String, _ body: String) async throws
    -> ServerFixture.Answer
  {
    try await fixture.request("POST", path, body: body, headers: Self.form)
  }

  @Test(arguments: ["/", "/?arrange=on", "/breathe", "/breathe?pattern=box", "/calm", "/widget?size=large"])
  func pagesContainNoInlineScriptOrStyle(path: String) async throws {
    let answer = try await ServerFixture().request("GET", path)
    #expect(answer.status == 200 && answer.headers[.contentType] == "text/html; charset=utf-8")
    #expect(answer.text.hasPrefix("<!doctype html>"))
    #expect(!answer.text.contains(" style=") && !answer.text.contains("<style"))
    #expect(answer.text.ranges(of: "<script").count == 1 && !answer.text.contains(" onclick="))
    #expect(answer.text.ranges(of: "<h1").count == 1)
  }

  @Test func everyPageHasHelpAndWithoutMeasurementsTheFirstSteps() async throws {
    let fixture = try ServerFixture(measures: false)
    for path in ["/", "/breathe", "/calm"] {
      #expect(try await fixture.request("GET", path).text.contains("href=\"/calm\""))
    }
    #expect(try await fixture.request("GET", "/").text.contains("Your first value in three steps"))
  }

  @Test func aSessionThatEndedIsNotShownAsLive() async throws {
    let text = try await ServerFixture().request("GET", "/").text
    #expect(text.contains("data-state=\"ended\"") && !text.contains("Your first value"))
    #expect(text.contains("data-for=\"ended\"") && !text.contains("data-for=\"live\""))
  }

  @Test func afterASessionThePageShowsTheDayAndWhatToDoNext() async throws {
    let fixture = try ServerFixture()
    let session = try fixture.session().info.id.text
    let page = try await fixture.page("/")
    let next = try #require(page.firstMatch(of: /<div class="next stack".*/)).0
    #expect(next.contains("href=\"/history/sessions/\(session)\"") && next.contains("class=\"button"))
    #expect(page.contains("id=\"today\"") && page.contains("clip-path=\"url(#curve-"))
    // The style sheet hides the charts of beats, which are empty without a session.
    #expect(page.contains("data-session=\"\""))
    let style = try await fixture.request("GET", "/assets/style.css").text
    #expect(style.contains("#live[data-session=\"\"] :is(#card-beats,#card-trend"))
  }

  @Test func aPhoneHasABarOfFiveEntries() async throws {
    let page = try await ServerFixture(measures: false).page("/journal")
    #expect(page.ranges(of: "<li class=\"beyond\">").count == 2)
    #expect(page.contains("<li class=\"more\"><a href=\"/settings\" aria-current=\"page\">"))
  }

  /// Regression: values of the simulated strap were unmarked.
  @Test func simulatedValuesAreMarkedEverywhere() async throws {
    let fixture = try ServerFixture()
    let tag = "<span class=\"tag\">simulated</span>"
    let now = try await fixture.page("/")
    #expect(
      now.contains("id=\"simulated\" data-live>") && now.contains("Simulated strap: these values"))
    let rows = try await fixture.page("/history/measurements")
    #expect(rows.ranges(of: "<li").count > 20)
    #expect(rows.ranges(of: tag).count == rows.ranges(of: "href=\"/history/measurements/").count)
    // The session, its day and its month.
    #expect(try await fixture.page("/history").ranges(of: tag).count == 3)
    let session = try #require(try fixture.reader().sessions(of: "me", limit: 1).first).info.id.text
    for path in ["/history/measurements/10", "/history/sessions/\(session)", "/widget?size=large"] {
      #expect(try await fixture.page(path).contains(tag), "\(path)")
    }
    #expect(!(try await fixture.page("/trends").contains("are not included")))
  }

  @Test func eachReasonForValuesThatAreNotLiveHasANotice() async throws {
    var model = NowModel()
    #expect(model.notice == .nothing)
    var feed = LiveSnapshot(
      FeedHello(
        version: "1", session: "01K", profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true))
    func update(_ line: String) {
      feed.update(SessionLine(Array(line.utf8))!, at: 0)
      model.feed = feed
      model.report = StatusReport(feed, metric: .rmssd, now: 1_000_000_000)
    }
    update("{\"type\":\"link\",\"state\":\"searching\",\"stale\":true}")
    #expect(model.notice == .searching && model.state == .collecting)
    update("{\"type\":\"link\",\"state\":\"connected\",\"stale\":true}")
    #expect(model.notice == .collecting)
    update("{\"type\":\"measurement\",\"time\":\"2026-11-21T07:30:01Z\",\"stress\":12,\"confidence\":1}")
    #expect(model.notice == .live)
    update("{\"type\":\"link\",\"state\":\"connected\",\"stale\":true}")
    #expect(model.notice == .silent)
    update("{\"type\":\"link\",\"state\":\"lost\",\"stale\":true}")
    #expect(model.notice == .lost && model.state == .stale)
    model.feed = nil
    #expect(model.notice == .interrupted)
  }

  @Test func aReadOnlyServerHasNoForms() async throws {
    let fixture = try ServerFixture(isReadOnly: true)
    for path in ["/", "/?arrange=on", "/breathe"] {
      #expect(!(try await fixture.request("GET", path).text.contains("<form")))
    }
  }

  @Test func theWidgetShowsTheChosenParts() async throws {
    let fixture = try ServerFixture()
    let answer = try await fixture.request("GET", "/widget")
    #expect(answer.headers[.contentSecurityPolicy] == SecurityHeaders.widgetPolicy)
    #expect(answer.text.contains("id=\"widget-hr\"") && answer.text.contains("id=\"widget-stress\""))
    #expect(!answer.text.contains("class=\"buddy\""))
    // The session has ended, so its values are withdrawn.
    #expect(!answer.text.contains(/<span class="metric-value number">\d/))
    let chosen = try await fixture.page("/widget?size=large&show=hrv,hr&background=none&profile=me")
    let places = ["id=\"widget-hrv\"", "id=\"widget-hr\""].compactMap {
      chosen.ranges(of: $0).first?.lowerBound
    }
    #expect(places.count == 2 && places[0] < places[1] && !chosen.contains("widget-stress"))
    #expect(chosen.contains("widget large on-none"))
    for query in ["show=moon", "show=hr,hr", "show=", "background=red", "profile=nobody"] {
      #expect(try await fixture.request("GET", "/widget?\(query)").status >= 400, "\(query)")
    }
    let other = try await fixture.request("GET", "/")
    #expect(other.headers[.contentSecurityPolicy] == SecurityHeaders.contentSecurityPolicy)
    #expect(!SecurityHeaders.contentSecurityPolicy.contains("unsafe"))
  }

  @Test func cardsMoveAndStayThere() async throws {
    let fixture = try ServerFixture()
    let answer = try await post(fixture, "/now/cards", "card=rmssd&change=earlier")
    #expect(answer.status == 303 && answer.headers[.location] == "/?arrange=on#card-rmssd")
    let text = try await fixture.request("GET", "/").text
    let rmssd = try #require(text.ranges(of: "id=\"card-rmssd\"").first)
    let heartRate = try #require(text.ranges(of: "id=\"card-heart-rate\"").first)
    #expect(rmssd.lowerBound < heartRate.lowerBound)
    #expect(try await post(fixture, "/now/cards", "card=moon&change=earlier").status == 400)
    #expect(try await post(fixture, "/now/cards", "card=rmssd&change=later-or-never").status == 400)
  }

  @Test func hiddenCardsAreOnlyShownWhereTheyAreChosen() async throws {
    let fixture = try ServerFixture()
    #expect(try await !fixture.request("GET", "/").text.contains("card-sdnn"), "SDNN is for research")
    _ = try await post(fixture, "/now/cards", "card=respiration&change=hide")
    #expect(try await !fixture.request("GET", "/").text.contains("card-respiration"))
    #expect(fixture.preferences.preferences().hidden == [.sdnn, .artefacts, .respiration])
    let chosen = try await fixture.request("GET", "/?arrange=on").text
    #expect(chosen.contains("id=\"card-sdnn\"") && chosen.contains("aria-label=\"Show HRV (SDNN)\""))
    #expect(!chosen.contains("id=\"metric-sdnn_ms\""))
    _ = try await post(fixture, "/now/cards", "card=sdnn&change=show")
    #expect(try await fixture.request("GET", "/").text.contains("card-sdnn"))
  }

  @Test func favouritesAreAddedAndRemovedAndShownAsCircles() async throws {
    let fixture = try ServerFixture(measures: false)
    func favourites() -> [String] { fixture.preferences.preferences().favourites.map(\.text) }
    for exercise in ["box", "grounding", "calm", "box"] {
      #expect(try await post(fixture, "/breathe/favourites", "add=\(exercise)").status == 303)
    }
    #expect(favourites() == ["4-4-4-4", "grounding", "calm"])
    _ = try await post(fixture, "/breathe/favourites", "remove=box")
    #expect(favourites() == ["grounding", "calm"])
    #expect(try await post(fixture, "/breathe/favourites", "add=99").status == 400)
    let page = try await fixture.page("/breathe")
    let circles = try #require(page.firstMatch(of: /<ul class="circles">[\s\S]*?<\/ul>/)).0
    #expect(circles.contains("href=\"/breathe/grounding\"") && circles.contains("href=\"/calm\""))
    #expect(page.contains("Remove from favourites: Grounding"))
  }

  @Test func anOwnPatternIsFollowedOrBecomesAFavourite() async throws {
    let fixture = try ServerFixture(measures: false)
    let form = "inhale=5&hold=0&exhale=6.5&pause=0"
    let followed = try await post(fixture, "/breathe/own", "\(form)&do=follow")
    #expect(followed.headers[.location] == "/breathe?pattern=5-0-6.5-0")
    _ = try await post(fixture, "/breathe/own", "\(form)&do=add")
    #expect(fixture.preferences.preferences().favourites.map(\.text) == ["5-0-6.5-0"])
    #expect(try await post(fixture, "/breathe/own", "inhale=99&hold=0&exhale=6&pause=0").status == 400)
  }

  @Test func anExerciseFillsTheScreenAndKeepsHelp() async throws {
    let fixture = try ServerFixture(measures: false)
    let page = try await fixture.page("/breathe?pattern=box")
    #expect(page.contains("class=\"full\"") && !page.contains("<nav") && page.contains("href=\"/calm\""))
    #expect(page.contains("<li>Hold: 4 s</li>") && page.contains("breath-progress"))
    let step = try await fixture.page("/breathe/grounding?step=2")
    #expect(step.contains("<title>Step 2 of 5: 4 things that you can feel - stressmon</title>"))
    #expect(step.contains("href=\"/breathe/grounding?step=3\""))
    #expect(try await fixture.page("/breathe/grounding?step=6").contains("Well done."))
    #expect(try await fixture.request("GET", "/breathe/grounding?step=7").status == 400)
  }

  @Test func problemsArePagesForBrowsersAndProblemDetailsForPrograms() async throws {
    let fixture = try ServerFixture(measures: false)
    let page = try await fixture.request("GET", "/nothing", headers: Self.browser)
    #expect(page.status == 404 && page.text.contains("<h1>This page does not exist</h1>"))
    #expect(try await fixture.request("GET", "/nothing").headers[.contentType] == "application/problem+json")
    let api = try await fixture.request("GET", "/api/sessions/none", headers: Self.browser)
    #expect(api.headers[.contentType] == "application/problem+json")
  }

  @Test func assetsAreSentOnceAndTheScriptIsSmall() async throws {
    let fixture = try ServerFixture(measures: false)
    for path in AssetEndpoints.paths where !PageFonts.paths.contains(path) {
      let first = try await fixture.request("GET", path)
      let tag = try #require(first.headers[.eTag])
      #expect(
        first.status == 200 && first.headers[.cacheControl] == "private, no-cache" && !first.text.isEmpty)
      let again = try await fixture.request("GET", path, headers: [.ifNoneMatch: "\"other\", \(tag)"])
      #expect(again.status == 304 && again.text.isEmpty)
    }
    #expect(try await fixture.request("GET", "/assets/app.js").text.utf8.count <= 28_000)
  }

  @Test func theStyleHasTheColoursOfEachThemeAndAccent() {
    let style = StyleSheet.variables
    for text in ["#34C759", "#30D158", "#FF9F0A", ":root[data-theme=high-contrast]", "[data-accent=gentle]"] {
      #expect(style.contains(text))
    }
    #expect(style.contains(":root[data-text-size=\"260\"]{font-size:260%}"))
  }
}

@Suite struct LiveBeatsTests {
  private static func lines(_ texts: [String]) -> [FeedLine] {
    texts.enumerated().map { FeedLine(session: "01K", number: $0.offset + 1, bytes: Array($0.element.utf8)) }
  }

  @Test func beatsHaveTheTimesAndVerdictsOfTheirLines() {
    let beats = LiveBeats(
      Self.lines([
        #"{"type":"notification","monotonic_s":10,"hr_bpm":60,"rr_ms":[1000,500]}"#,
        #"{"type":"measurement","time":"2026-11-21T07:30:00Z","monotonic_s":10,"verdict":"normal","stress":null}"#,
        #"{"type":"measurement","time":"2026-11-21T07:30:00Z","monotonic_s":10,"verdict":"ectopic","stress":12.5}"#,
        #"{"type":"gap","monotonic_s":20,"start_s":10,"duration_s":10,"cause":"link-lost"}"#,
        #"{"type":"notification","monotonic_s":21,"hr_bpm":60,"rr_ms":[900]}"#,
      ]))
    #expect(beats.beats.map(\.time) == [9.5, 10, 21] && beats.beats.map(\.interval) == [1000, 500, 900])
    #expect(beats.beats.map(\.verdict) == [.normal, .ectopic, nil])
    #expect(beats.beats.map(\.followsGap) == [false, false, true])
    #expect(beats.scores.map(\.stress) == [12.5])
  }

  @Test func chartsHaveAScaleInWholeHundreds() {
    #expect(LiveCharts.range([]) == 600...1200)
    #expect(LiveCharts.range([812, 905]) == 700...1000)
    #expect(LiveCharts.range([500, 500]) == 400...600)
  }
}
