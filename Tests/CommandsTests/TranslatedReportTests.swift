import HeartRate
import Localization
import Platform
import Reports
import Strap
import Stress
import Terminal
import TestSupport
import Testing

@testable import Commands
@testable import History

/// Texts of history, trends, report and errors in German and in English.
@Suite struct TranslatedReportTests {
  private let german: TerminalStyle

  init() throws {
    let catalogue = try MessageCatalogue("de")
    let language = Language("de") { catalogue.text($0, $1) }
    german = TerminalStyle(colours: .none, unicode: true, language: language)
  }

  private var exercise: StoredBreathing {
    var exercise = StoredBreathing(
      session: SessionID(stored: "01K"), profile: "me", time: WallTime(microseconds: 0), pattern: "4-7-8",
      cycles: 3, plannedCycles: 4, seconds: 60)
    exercise.before = .init(rmssd: 67.2)
    return exercise
  }

  @Test func exerciseOfTheHistoryIsTranslated() {
    #expect(
      exercise.summary(german)
        == "Atemübung 4-7-8: 3 von 4 Zyklen; RMSSD 67.2 > - ms, geändert: nicht zu sagen")
  }

  @Test func emptyHistoryIsTranslated() {
    let report = HistoryReport(profile: "me", path: "/a", isFiltered: true, style: german)
    #expect(
      report.noMeasurement == "Keine Messung von „me“ passt. Die letzten zeigt: stressmon history\n")
  }

  @Test func datesAreTranslated() {
    #expect(german.date("Wed 2026-11-18") == "Mi 2026-11-18")
    #expect(german.date("2026-11-18") == "2026-11-18")
    #expect(TerminalStyle.plain.date("Wed 2026-11-18") == "Wed 2026-11-18")
  }

  @Test func emptyTrendsAndReportAreTranslated() throws {
    let period = TrendPeriod(days: 7, step: .day, until: WallTime(microseconds: 0), LocalCalendar { _ in 0 })
    let trends = try TrendReport(nil, of: "me", period, metric: .rmssd, today: 0)
    #expect(trends.text(style: german, width: nil).hasPrefix("Von „me“ ist in dieser Zeit kein Stresswert"))
    let week = try WeekReport(nil, of: "me", ending: 6, metric: .rmssd, LocalCalendar { _ in 0 })
    let page = WeekDocument(week: week, style: german).document.html
    #expect(
      page.contains("<html lang=\"de\">")
        && page.contains("<h1>Woche von me, Do 1970-01-01 bis Mi 1970-01-07</h1>"))
  }

  @Test func everyMoodHasItsWord() {
    for rating in 1...10 {
      let mood = Mood(rating)
      #expect(mood.map { TerminalStyle.plain.localized($0.name) } == mood?.word)
    }
  }

  @Test func englishMessagesEqualTheDescriptions() {
    for code in [
      .exists, .notFound, .isDirectory, .notRegular, .notPermitted, .readOnlyFileSystem, .diskFull, .empty,
      .system(errno: 5),
    ] as [FileError.Code] {
      let error = FileError(code, path: "/a/b")
      #expect(Language.english.text(error.message) == error.description)
    }
    for code in HistoryError.Code.allCases {
      for attempt in [HistoryError.Attempt.open, .read, .write, .erase] {
        let error = HistoryError(code, path: "/a b", attempt, detail: "x")
        #expect(Language.english.text(error.message) == error.description)
      }
    }
    for error in straps { #expect(Language.english.text(error.message()) == error.description) }
  }

  private var straps: [StrapError] {
    [
      .noBus("x"), .noBluetoothd("x"), .noAdapter(wanted: nil, present: []),
      .noAdapter(wanted: nil, present: ["hci0"]), .noAdapter(wanted: "hci1", present: []),
      .adapterOff("hci0"),
      .notFound(.any, seen: []), .notFound(.address("C0:FF:EE:00:00:01"), seen: []),
      .notFound(.name("H10"), seen: []), .unexpected("x"),
    ]
  }

  @Test func failuresAreTranslatedAndKeepTheirExitStatus() throws {
    let failure = try #require(CommandFailure(FileError(.notFound, path: "/a/b")))
    #expect(failure.status == .failed && failure.description.hasPrefix("no such file or folder: /a/b"))
    #expect(failure.text(german.language).hasPrefix("Datei oder Ordner nicht gefunden: /a/b"))
    let all = try #require(CommandFailure(all: [failure, failure, CommandFailure(.badData, "x")]))
    #expect(all.status == .failed && all.description == failure.description + "\nx")
  }
}
