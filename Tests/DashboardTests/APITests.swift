import HTTPTypes
import HeartRate
import LiveFeed
import LiveSession
import Platform
import TestSupport
import Testing

@testable import Dashboard

@Suite struct APITests {
  private static let measured = try! ServerFixture()
  private var server: ServerFixture { Self.measured }

  private func json(_ path: String) async throws -> JSONValue {
    let answer = try await server.request("GET", path)
    #expect(
      answer.status == 200 && answer.headers[.contentType] == "application/json", "\(path): \(answer.text)")
    return try answer.json()
  }

  @Test func pagesOfMeasurementsAreAdjacent() async throws {
    let whole = try await json("/api/measurements?limit=500")
    let all = (whole["measurements"]?.elements ?? []).compactMap { $0["id"]?.number }
    #expect(all.count >= 50 && whole["next"] == .null)
    let first = try await json("/api/measurements?limit=20")
    let next = try #require(first["next"]?.text)
    let second = try await json("/api/measurements?limit=20&to=\(next)")
    let ids = [second, first].flatMap { $0["measurements"]?.elements ?? [] }.compactMap { $0["id"]?.number }
    #expect(ids == all.suffix(40))
  }

  @Test func filtersSelectMeasurements() async throws {
    let sure = try await json("/api/measurements?limit=500&min_confidence=0.9&category=relaxed&category=mild")
    let found = sure["measurements"]?.elements ?? []
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { ($0["confidence"]?.number ?? 0) >= 0.9 })
    #expect(found.allSatisfy { ["relaxed", "mild"].contains($0["category"]?.text) })
    let none = try await json("/api/measurements?from=2001-01-01&to=2001-01-02")
    #expect(none["measurements"]?.elements.isEmpty == true)
  }

  @Test func oneMeasurementAndOneSessionAreShown() async throws {
    let list = try await json("/api/measurements?limit=1")
    let id = try #require(list["measurements"]?.elements.first?["id"]?.number)
    let shown = try await json("/api/measurements/\(Int(id))")
    #expect(shown["id"]?.number == id && shown["explanation"] != nil)
    let sessions = try await json("/api/sessions")
    let session = try #require(sessions["sessions"]?.elements.first?["session"]?.text)
    #expect(try await json("/api/sessions/\(session)")["session"]?.text == session)
    for path in [
      "/api/measurements/0", "/api/measurements/x", "/api/measurements/999999", "/api/sessions/01K",
    ] {
      #expect(try await server.request("GET", path).status == 404)
    }
  }

  @Test func derivedReportsAreServed() async throws {
    let trends = try await json("/api/trends?days=7")["trends"]?.elements ?? []
    #expect(trends.count == 8 && trends.last?["step"]?.text == "whole")
    #expect(try await json("/api/trends?days=1&step=hour")["trends"]?.elements.count == 25)
    #expect(try await json("/api/report")["profile"]?.text == "me")
    #expect(try await json("/api/baseline")["origin"] != nil)
    #expect(try await json("/api/straps")["straps"]?.elements.isEmpty == true)
    #expect(try await json("/api/breathing")["breathing"]?.elements.isEmpty == true)
    #expect(try await json("/api/settings").members.keys.contains("store-every"))
    #expect(try await json("/api/activity")["running"]?.bool == false)
    #expect(try await json("/api/status")["state"]?.text == "ended")
  }

  @Test(arguments: [
    "/api/measurements?limit=0", "/api/measurements?limit=501", "/api/measurements?limit=x",
    "/api/measurements?from=yesterday", "/api/measurements?from=2026-11-02&to=2026-11-01",
    "/api/measurements?category=calm", "/api/measurements?min_confidence=2", "/api/measurements?words=1",
    "/api/measurements?limit=1&limit=2", "/api/trends?days=0", "/api/trends?step=year",
    "/api/trends?step=hour",
    "/api/report?ending=tomorrow", "/hr?x=1", "/events?last_event_id=words",
  ])
  func aWrongParameterIsReported(_ path: String) async throws {
    let answer = try await server.request("GET", path)
    #expect(answer.status == 400 && answer.headers[.contentType] == "application/problem+json")
    #expect(try answer.json()["title"]?.text == "Invalid parameter")
  }

  @Test func anUnknownProfileAndAnUnknownPathAreNotFound() async throws {
    #expect(try await server.request("GET", "/api/status?profile=nobody").status == 404)
    #expect(try await server.request("GET", "/api/nothing").status == 404)
    let answer = try await server.request("PUT", "/api/journal")
    #expect(answer.status == 405 && answer.headers[.allow] == "GET, POST, HEAD")
  }

  @Test func everyDocumentedPathExistsAndEveryPathIsDocumented() async throws {
    let document = try await json("/openapi.json")
    #expect(document["openapi"]?.text == "3.1.0")
    let documented = (document["paths"]?.members ?? [:]).flatMap { path, methods in
      methods.members.keys.map {
        "\($0.uppercased()) \(APIVersion.path(path).replacing("{id}", with: "*"))"
      }
    }
    let machine = ["/api/", "/events", "/hr", "/metrics", "/openapi.json"]
    let options = server.endpoints.endpoints.filter { endpoint in
      machine.contains { endpoint.path.hasPrefix($0) }
    }
    // Of the pages, the document contains only the first one.
    #expect(Set(documented).subtracting(["GET /"]) == Set(options.map { "\($0.method) \($0.path)" }))
  }

  @Test func everyResponseHasTheSecurityHeaders() async throws {
    for path in ["/", "/hr", "/nowhere", "/api/status"] {
      let headers = try await server.request("GET", path).headers
      #expect(headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      #expect(headers[.cacheControl] == "no-store" && headers[.xContentTypeOptions] == "nosniff")
    }
  }

  @Test func theStatusPageShowsTheLatestValueAndHEADHasNoBody() async throws {
    let page = try await server.request("GET", "/")
    #expect(page.text.contains("Profile: me") && page.text.contains("data-state=\"ended\""))
    let head = try await server.request("HEAD", "/")
    #expect(head.status == 200 && head.text.isEmpty)
  }

  @Test func versionOneIsTheSameAPI() async throws {
    #expect(try await json("/api/v1/measurements?limit=3") == json("/api/measurements?limit=3"))
    #expect(try await server.request("GET", "/api/v2/measurements").status == 404)
  }

  @Test func morningsNightsAndProfilesAreServed() async throws {
    for key in ["morning", "night"] {
      let page = try await json("/api/v1/\(key)?limit=1")
      #expect(page[key] != nil && page["next"] != nil)
    }
    let profiles = try await json("/api/v1/profiles")
    #expect(profiles["profiles"]?.elements == [.text("me")] && profiles["default"]?.text == "me")
  }

  @Test func aMarkRequiresASession() async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.request("POST", "/api/v1/marks", body: "{\"note\":\"x\"}").status == 409)
    #expect(
      try await server.request(
        "POST", "/api/marks", body: "{\"note\":\"\(String(repeating: "a", count: 501))\"}"
      ).status == 400)
  }

  @Test func anEntryIsAddedToTheJournalWithOneAuditLine() async throws {
    let server = try ServerFixture(measures: false)
    let body = "{\"mood\":7,\"note\":\"<b>\",\"triggers\":[\"work\",\"coffee\",\"work\"]}"
    let added = try await server.request("POST", "/api/journal", body: body)
    #expect(added.status == 201)
    let entry = try #require(try await server.request("GET", "/api/journal").json()["journal"]?.elements.last)
    #expect(entry["mood"]?.number == 7 && entry["note"]?.text == "<b>")
    #expect(entry["triggers"]?.elements.compactMap(\.text) == ["coffee", "work"])
    let lines = server.audit.withLock { $0 }
    #expect(lines.count == 1 && lines[0].hasSuffix("POST /api/journal permitted (full) 201"))
  }

  @Test(arguments: [
    ("{}", 422), ("{\"mood\":11}", 400), ("{\"mood\":\"x\"}", 400), ("{\"note\":1}", 400),
    ("{\"triggers\":[1]}", 400), ("{\"triggers\":\"x\"}", 400),
    ("[]", 400),
    ("{\"note\":\"" + String(repeating: "a", count: 20_000) + "\"}", 400),
    ("{\"note\":\"" + String(repeating: "a", count: 140_000) + "\"}", 413),
  ])
  func anInvalidEntryIsRejected(_ body: String, _ status: Int) async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.request("POST", "/api/journal", body: body).status == status)
    #expect(try await server.request("GET", "/api/journal").json()["journal"]?.elements.isEmpty == true)
  }

  @Test func aReadOnlyServerChangesNothing() async throws {
    let server = try ServerFixture(isReadOnly: true, measures: false)
    #expect(
      try await server.request("POST", "/api/activity", body: "{\"command\":\"live\",\"simulate\":true}")
        .status == 403)
    #expect(try await server.request("DELETE", "/api/activity").status == 403)
  }

  @Test func theHeartRateIsServedWhileItIsLive() async throws {
    let server = try ServerFixture(measures: false)
    let stale = try await server.request("GET", "/hr")
    #expect(stale.status == 503 && stale.text.isEmpty)
    let hello = FeedHello(
      version: "0.1.0", session: "01KAAAAAAAAAAAAAAAAAAAAAAA", profile: "me", started: "x", isSimulated: true)
    server.hub.receive(.began(hello))
    let now = SystemClock.wall.rfc3339
    for (index, text) in [
      "{\"type\":\"link\",\"state\":\"connected\",\"stale\":true}",
      "{\"type\":\"notification\",\"time\":\"\(now)\",\"hr_bpm\":61}",
    ].enumerated() {
      server.hub.receive(.line(FeedLine(session: hello.session, number: index + 1, bytes: Array(text.utf8))))
    }
    #expect(try await server.request("GET", "/hr").text == "61")
    #expect(try await server.request("GET", "/metrics").text.contains("stressmon_heart_rate_bpm{"))
    let json = try await server.request("GET", "/hr", headers: [.accept: "application/json"]).json()
    #expect(json["bpm"]?.number == 61 && json["measured_at"]?.text == now)
    #expect(json["hr_bpm"]?.number == 61 && json["time"]?.text == now && json["profile"]?.text == "me")
    let chosen = try await server.request("GET", "/hr?profile=me")
    #expect(chosen.text == "61" || chosen.status == 503)
    #expect(try await server.request("GET", "/hr?profile=nobody").status == 404)
    server.hub.receive(.ended(session: hello.session, .lost))
    #expect(try await server.request("GET", "/hr").status == 503)
  }

  @Test func aStreamResumesFromTheHistoryAndEndsWithTheServer() async throws {
    let server = try ServerFixture(measures: false)
    let session = "01KAAAAAAAAAAAAAAAAAAAAAAA"
    let hello = FeedHello(version: "0.1.0", session: session, profile: "me", started: "x", isSimulated: true)
    server.hub.receive(.began(hello))
    for number in 1...3 {
      server.hub.receive(.line(FeedLine(session: session, number: number, bytes: Array("{}".utf8))))
    }
    async let answer = server.request("GET", "/events?last_event_id=\(session):1")
    while server.hub.subscriberCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
    server.hub.stop()
    let text = try await answer.text
    #expect(
      text == "retry: 2000\nid: \(session):1\n\nid: \(session):2\ndata: {}\n\nid: \(session):3\ndata: {}\n\n")
  }

  @Test func anActivityIsStartedOnceAndEnded() async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.request("DELETE", "/api/activity").status == 409)
    #expect(
      try await server.request("POST", "/api/activity", body: "{\"command\":\"live\",\"simulate\":true}")
        .status == 202)
    #expect(
      try await server.request("POST", "/api/activity", body: "{\"command\":\"measure\"}").status == 409)
    #expect(try await server.request("GET", "/api/activity").json()["running"]?.bool == true)
    #expect(try await server.request("DELETE", "/api/activity").status == 200)
    #expect(try await server.request("GET", "/api/activity").json()["running"]?.bool == false)
  }
  @Test func anExerciseInterruptsTheLiveSessionWhichStartsAgain() async throws {
    let server = try ServerFixture(measures: false)
    let exercise: KeyValuePairs = ["pattern": "box", "minutes": "1", "simulate": "on"]
    let live = "{\"command\":\"live\",\"simulate\":true}"
    #expect(try await server.request("POST", "/api/activity", body: live).status == 202)
    #expect(try await server.form("/breathe/start", exercise).status == 303)
    let running = try await server.request("GET", "/api/activity").json()
    #expect(running["command"]?.text == "breathe")
    #expect(running["running"]?.bool == true)
    // Another exercise is rejected while one is running.
    #expect(try await server.form("/breathe/start", exercise).status == 409)
    #expect(try await server.form("/breathe/stop", [:]).status == 303)
    let resumed = try await server.request("GET", "/api/activity").json()
    #expect(resumed["command"]?.text == "live")
    #expect(resumed["simulated"]?.bool == true)
    #expect(resumed["running"]?.bool == true)
    #expect(try await server.request("DELETE", "/api/activity").status == 200)
    #expect(try await server.request("GET", "/api/activity").json()["running"]?.bool == false)
  }
}
