import FoundationEssentials
import History
import Localization
import Platform
import TestSupport
import Testing

@testable import Dashboard

/// What the pages state about an activity that failed.
@Suite struct ActivityFailureTests {
  /// A program that runs a line of a shell.
  private func status(_ line: String, _ activity: Activity) async throws -> ActivityRunner.Status {
    let folder = try TemporaryFolder(prefix: "activity")
    let program = folder.file("stressmon")
    try Data("#!/bin/sh\n\(line)\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let runner = ActivityRunner(MeasuringProgram(path: program, database: "", profile: "me"))
    #expect(runner.start(activity))
    while runner.status?.isRunning ?? true { try await Task.sleep(for: .milliseconds(20)) }
    return try #require(runner.status)
  }

  private func card(_ status: ActivityRunner.Status, isLive: Bool = false) throws -> String {
    let options = try ServerFixture(measures: false).options
    let context = PageContext(
      query: .none, profile: "me", reader: nil, live: nil, language: options.catalogues.language("en"),
      isReadOnly: false, options: options, preferences: PagePreferences())
    return NowActions(status: status, isLive: isLive, context: context).html.text
  }

  /// A killed program prints nothing, so the card had no reason.
  @Test func theSignalThatEndedASessionIsStated() async throws {
    var activity = Activity(.morning, isSimulated: true)
    activity.minutes = 3
    let status = try await status("kill -9 $$", activity)
    #expect(status.signal == 9 && status.failure == "ended by signal 9")
    let card = try card(status)
    #expect(card.contains("It did not work.</strong> It was stopped from outside."))
    #expect(!card.contains("/settings/doctor"))
    #expect(card.contains("value=\"morning\">Try again</button>"))
    #expect(card.contains("name=\"minutes\" value=\"3\"") && card.contains("name=\"simulate\" value=\"on\""))
  }

  @Test func theMessageOfAFailureIsStatedUntilAnotherSessionRuns() async throws {
    let status = try await status("echo 'stressmon: no adapter' >&2; exit 2", Activity(.measure))
    #expect(status.signal == nil && status.failure == "stressmon: no adapter")
    #expect(try card(status).contains("It did not work.</strong> No adapter <a href=\"/settings/doctor\">"))
    #expect(try !card(status, isLive: true).contains("It did not work."))
  }

  @Test func theMessageIsInTheLanguageOfThePage() async throws {
    var activity = Activity(.measure)
    activity.language = Language("de") { text, _ in text }
    let status = try await status("echo \"stressmon: $LC_ALL $LANGUAGE\" >&2; exit 2", activity)
    #expect(status.failure == "stressmon: C.UTF-8 de")
  }

  @Test func theCardIsRefreshed() async throws {
    let card = try card(try await status("exit 0", Activity(.live)))
    #expect(card.contains("id=\"measure-state\" data-live") && !card.contains("Try again"))
  }
}
