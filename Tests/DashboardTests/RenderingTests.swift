import HeartRate
import JSONLines
import LiveFeed
import LiveSession
import Testing

@testable import Dashboard

/// Names of straps, profiles and notes are chosen by other people.
@Suite struct RenderingTests {
  @Test func namesCannotInjectMarkupOrReorderText() {
    let name = "<script>alert(1)</script>\u{202E}\u{1B}[31m\"'&"
    let item: HTML = "<li>\(name)<b>\(["<i>" as HTML, "x"])</b></li>"
    #expect(
      item.text
        == "<li>&lt;script&gt;alert(1)&lt;/script&gt;\u{FFFD}\u{FFFD}[31m&quot;&#39;&amp;<b><i>x</b></li>")
    let attribute: HTML = "<p\(attribute: "title", "\"><script>")\(attribute: "hidden", if: true)></p>"
    #expect(attribute.text == "<p title=\"&quot;&gt;&lt;script&gt;\" hidden></p>")
  }

  private func state(_ lines: [String], profile: String = "me") -> LiveSnapshot {
    var hello = FeedHello(
      version: "0.1.0", session: "01K", profile: profile, started: "2026-11-21T07:30:00Z", isSimulated: true)
    hello.strap = "C0:00:00:00:00:01"
    var state = LiveSnapshot(hello)
    for line in lines { state.update(SessionLine(Array(line.utf8))!, at: 0) }
    return state
  }

  private let connected = "{\"type\":\"link\",\"state\":\"connected\",\"stale\":true}"
  private let notification =
    "{\"type\":\"notification\",\"time\":\"2026-11-21T07:30:01Z\",\"hr_bpm\":62,\"rr_ms\":[968]}"
  private let measurement = """
    {"type":"measurement","time":"2026-11-21T07:30:01Z","rmssd_ms":48,"sdnn_ms":52,"mean_hr_bpm":61.5,"stress":12,\
    "stress_low":9,"stress_high":16,"category":"relaxed","confidence":0.9,"confidence_factors":{"exertion":1},"stale":false}
    """

  @Test func metricsContainLiveValuesWithEscapedLabels() {
    let state = state([connected, notification, measurement], profile: "a\"b\\c\nd")
    let text = PrometheusText([LiveValues(state, isLive: true)], version: "1.2").text
    let profile = "profile=\"a\\\"b\\\\c\\nd\""
    let labels = "{\(profile)}"
    #expect(
      text.contains(
        "stressmon_session_info{\(profile),session=\"01K\",strap=\"C0:00:00:00:00:01\","
      ))
    #expect(text.contains("# TYPE stressmon_beats_total counter\nstressmon_beats_total\(labels) "))
    #expect(text.contains("stressmon_build_info{version=\"1.2\"} 1\n"))
    #expect(text.contains("# TYPE stressmon_heart_rate_bpm gauge\nstressmon_heart_rate_bpm\(labels) 62\n"))
    #expect(text.contains("stressmon_rmssd_seconds\(labels) 0.048\n"))
    #expect(text.contains("stressmon_stress_score\(labels) 12\n"))
    #expect(text.contains("stressmon_link_up\(labels) 1\n"))
    #expect(text.contains("stressmon_live_sessions 1\n"))
  }

  @Test func aValueThatIsNotLiveIsAbsent() {
    let lost = "{\"type\":\"link\",\"state\":\"lost\",\"stale\":true}"
    let (soon, later) = (LiveLimits.silence - 1, LiveLimits.silence)
    let live = state([connected, notification, measurement])
    for (state, now) in [(live, later), (state([connected, notification, measurement, lost]), soon)] {
      let text = PrometheusText([LiveValues(state, isLive: state.isLive(at: now))]).text
      #expect(!text.contains("heart_rate_bpm") && !text.contains("stress_score"))
      #expect(text.contains("stressmon_link_up"))
    }
    #expect(live.isLive(at: soon) && !live.isLive(at: later))
  }

  @Test func problemsAreProblemDetails() throws {
    let object = try JSONObject(Problem.badParameter("limit", expected: "a number").body)
    #expect(object.text("type") == "about:blank" && object.text("title") == "Invalid parameter")
    #expect(object.value("status") == 400 && object.text("detail") == "limit: expected a number.")
  }
}
