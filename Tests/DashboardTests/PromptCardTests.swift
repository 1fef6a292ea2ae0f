import HTTPTypes
import HeartRate
import History
import Platform
import Reports
import Stress
import Testing

@testable import Dashboard

@Suite struct PromptCardTests {
  /// Stores a question about a moment, `minutes` ago.
  @discardableResult
  private func ask(_ server: ServerFixture, minutes: Int64 = 5) throws -> StoredPrompt {
    let time = SystemClock.wall.moved(seconds: -60 * minutes)
    let prompt = StressPrompt(time: time, stress: 64, confidence: 0.9, rmssd: 12, normal: 22...61)
    return try #require(
      try HistoryWriter(server.location).add(
        prompt, to: server.session().info.id, of: "me", dayStart: time.moved(seconds: -1)))
  }

  @Test func aQuestionIsShownUntilItIsAnswered() async throws {
    let server = try ServerFixture()
    #expect(!(try await server.page("/").contains("Stressed? By what?</h2>")))
    let prompt = try ask(server)
    for path in ["/", "/now/values"] {
      let page = try await server.page(path)
      #expect(
        page.contains("Stressed? By what?</h2>") && page.contains("normal range at rest is 22 to 61 ms"))
      #expect(page.contains("value=\"not-today\"") && page.contains("data-key=\"\(prompt.id)\""))
    }
    let answer = try await server.form("/now/prompt", ["prompt": "\(prompt.id)", "answer": "no"])
    #expect(answer.status == 303 && answer.headers[.location] == "/?notice=answered")
    #expect(try await server.page("/?notice=answered").contains("Your answer is stored."))
    #expect(!(try await server.page("/").contains("Stressed? By what?</h2>")))
    #expect(try server.reader().prompt(prompt.id, of: "me")?.answer == .no)
  }

  @Test func yesLeadsToTheJournalEntry() async throws {
    let server = try ServerFixture()
    let prompt = try ask(server)
    let answer = try await server.form(
      "/now/prompt", ["prompt": "\(prompt.id)", "answer": "yes", "triggers": "Work, noise"])
    let entry = try #require(try server.reader().journal(of: "me").first)
    #expect(answer.status == 303 && answer.headers[.location] == "/journal/entries/\(entry.id)")
    #expect(entry.triggers == ["noise", "work"] && entry.session == prompt.session)
    #expect(entry.time == prompt.measurement.time)
    #expect(try await server.page("/journal/entries/\(entry.id)").contains("RMSSD 12 ms"))
    // A second tab, and a desktop that was slower.
    let again = try await server.form("/now/prompt", ["prompt": "\(prompt.id)", "answer": "no"])
    #expect(again.headers[.location] == "/?notice=answeredBefore")
    #expect(try server.reader().prompt(prompt.id, of: "me")?.answer == .yes)
  }

  @Test func breatheLeadsToTheExercises() async throws {
    let server = try ServerFixture()
    let prompt = try ask(server)
    let answer = try await server.form("/now/prompt", ["prompt": "\(prompt.id)", "answer": "breathe"])
    #expect(answer.headers[.location] == "/breathe")
  }

  @Test func anOldQuestionIsNotShown() async throws {
    let server = try ServerFixture()
    try ask(server, minutes: 61)
    #expect(!(try await server.page("/").contains("Stressed? By what?</h2>")))
  }

  @Test func invalidAnswersAreRejected() async throws {
    let server = try ServerFixture()
    let prompt = try ask(server)
    #expect(
      try await server.form("/now/prompt", ["prompt": "\(prompt.id)", "answer": "maybe"]).status == 400)
    #expect(try await server.form("/now/prompt", ["prompt": "99", "answer": "yes"]).status == 404)
    #expect(try await server.form("/now/prompt", ["answer": "yes"]).status == 404)
    let long = String(repeating: "a", count: 65)
    let answer = try await server.form(
      "/now/prompt", ["prompt": "\(prompt.id)", "answer": "yes", "triggers": long])
    #expect(answer.status == 400)
    #expect(try server.reader().prompt(prompt.id, of: "me")?.answer == nil)
  }

  @Test func aReadOnlyServerShowsNoForm() async throws {
    let server = try ServerFixture(isReadOnly: true)
    let prompt = try ask(server)
    #expect(!(try await server.page("/").contains("/now/prompt")))
    #expect(try await server.form("/now/prompt", ["prompt": "\(prompt.id)", "answer": "no"]).status == 403)
  }
}
